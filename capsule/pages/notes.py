"""Private notes on a game: adding one, and clearing them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from capsule import answers, keys, manners, notes
from capsule.game import OutdatedAction
from capsule.pages.manners import acting, note_key
from capsule.typed import LONGEST_TEXT, TextRefused, is_word
from engine.game import message

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site
    from capsule.store.players import Player


def add(site: Site, request: Request, game_id: str, key: str) -> Response:
    """Ask for a note; with one, keep it for the player alone and go to the game."""
    player, newest = _asked(site, request, game_id, key)
    if player is None:
        return answers.way_on(f"/play/{game_id}")
    ask = message("Your note, which nobody else sees:")
    if not request.query:
        return answers.question(message("At most {count} characters.", count=LONGEST_TEXT), ask)
    try:
        with suppress(OutdatedAction):
            notes.add(site, player, game_id, newest, request.query)
    except TextRefused as error:
        return answers.question_again(error.message, ask)
    return answers.way_on(f"/play/{game_id}")


def clear(site: Site, request: Request, game_id: str, key: str) -> Response:
    """Ask for the word; with it, clear the player's notes on the game and go there."""
    player, newest = _asked(site, request, game_id, key)
    if player is None:
        return answers.way_on(f"/play/{game_id}")
    if not is_word(request.query, "clear"):
        return answers.question(message("Type clear to clear your notes on this game:"))
    with suppress(OutdatedAction):
        notes.clear(site, player, game_id, newest)
    return answers.way_on(f"/play/{game_id}")


def _asked(site: Site, request: Request, game_id: str, key: str) -> tuple[Player | None, int]:
    """Return who has followed a link that fits, None else, and the number of their newest note."""
    visitor, game = acting(site, request, game_id)
    newest = notes.newest_of(manners.look(site, game, visitor.player).notes)
    if not keys.fits(key, note_key(visitor, site, game_id, newest)):
        return None, newest
    return visitor.player, newest
