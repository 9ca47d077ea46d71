"""Messages under a game: sending them, reading them all, and letting visitors read them."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from capsule import answers, games, identity, keys, manners, messages
from capsule.game import OutdatedAction
from capsule.pages.game import shown
from capsule.pages.manners import SUBJECT, acting, agreement, message_key, with_authors
from capsule.typed import LONGEST_TEXT, TextRefused
from engine.game import message

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.site import Site


def say(site: Site, request: Request, game_id: str, key: str) -> Response:
    """Ask for a message to the opponent; with one, send it and go to the game."""
    visitor, game = acting(site, request, game_id)
    player = visitor.player
    opponent = manners.opponent_of(game, player)
    known = manners.look(site, game, player)
    may_write = (
        player is not None
        and opponent is not None
        and agreement(game, visitor) is not None
        and messages.why_none(game, player, opponent, known) is None
        and keys.fits(key, message_key(visitor, site, game_id, known.sent))
    )
    if player is None or opponent is None or not may_write:
        return answers.way_on(f"/play/{game_id}")
    ask = (
        message("Your message to {name}, which visitors can read too:", name=opponent.name)
        if agreement(game, visitor) == "both"
        else message("Your message to {name}:", name=opponent.name)
    )
    if not request.query:
        reason = messages.why_wait(site, player, game_id)
        if reason is not None:
            return answers.question_again(reason, ask)
        return answers.question(message("At most {count} characters.", count=LONGEST_TEXT), ask)
    try:
        with suppress(OutdatedAction):
            messages.say(site, player, game_id, known.sent, request.query)
    except TextRefused as error:
        return answers.question_again(error.message, ask)
    return answers.way_on(f"/play/{game_id}")


def share(site: Site, request: Request, game_id: str, key: str, verb: str) -> Response:
    """Agree to visitors' reading the messages, or do so no longer, and go to the game."""
    visitor, _ = acting(site, request, game_id)
    if visitor.player and visitor.may_act(site, SUBJECT, key):
        with suppress(OutdatedAction):
            messages.let_visitors_read(site, visitor.player, game_id, agrees=verb == "show")
    return answers.way_on(f"/play/{game_id}")


def all_of(site: Site, request: Request, game_id: str) -> Response:
    """Return the messages of a game, page by page, for those who may read them.

    The query is the number of the message that a page begins with: each has an address for ever.
    """
    visitor = identity.visitor_of(site, request)
    game = games.look_at(site, game_id)
    if game is None:
        raise answers.NotThere
    wanted = request.query or ""
    first = int(wanted) if re.fullmatch("[1-9][0-9]{0,8}", wanted) else None
    page = messages.page(site, game, visitor.player, first)
    return answers.page(
        visitor.reader,
        "messages.gmi",
        **shown(site, game),
        messages=with_authors(game, page.messages),
        page=page,
        may_read=manners.may_read_messages(game, visitor.player),
        is_between_people=manners.is_between_people(game.stored),
        has_certificate=visitor.certificate is not None,
    )
