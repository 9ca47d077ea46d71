"""Writing a line about oneself, and naming one's website."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from capsule.accounts import identity
from capsule.accounts.pages import outdated
from capsule.accounts.pages.account import HERE as ACCOUNT
from capsule.accounts.pages.account import SUBJECT
from capsule.errors import OutdatedAction
from capsule.social import introductions
from capsule.social.introductions import MAX_LINE_LENGTH
from capsule.social.websites import MAX_BYTES
from capsule.ui import responses
from capsule.ui.routes import ANY, KEY, one_of
from capsule.ui.typed_words import NONE, naming
from capsule.ui.user_text import TextOverLimit, TextRefused
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.gemini.types import Request, Response
    from capsule.social.model import Introduction
    from capsule.ui.routes import Routes
    from engine import Message


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of an introduction: its limits and its prompt, and how it is changed."""

    limits: Message
    ask: Message
    with_text: Callable[[Introduction, str], Introduction]


_PARTS: Mapping[str, _Part] = {
    "line": _Part(
        message(
            "At most {count} characters (about 100 in Chinese). Everybody can read it. Type {word} "
            "to remove it.",
            count=MAX_LINE_LENGTH,
        ),
        message("Your line about yourself"),
        introductions.with_line,
    ),
    "website": _Part(
        message(
            "It begins with gemini://, gopher://, https:// or mailto: and has at most {count} "
            "bytes. Everybody can read it. Type {word} to remove it.",
            count=MAX_BYTES,
        ),
        message("The address of your website"),
        introductions.with_website,
    ),
}
"""The parts, by the names at the ends of addresses."""


def change(context: AppContext, request: Request, key: str, part: str) -> Response:
    """Ask for a line or a website; with an answer, store it and go to the player's page."""
    chosen, typed = _PARTS[part], request.query
    try:
        player = identity.acting_player(context, request, SUBJECT, key)
        if not typed:
            introductions.require_voice(context, player)
            return responses.prompt(naming(chosen.limits, NONE), chosen.ask)
        introductions.change(context, player, chosen.with_text, typed)
    except TextOverLimit as error:
        refused = outdated.always(message("Nothing was changed. {reason}.", reason=error.message))
        return outdated.page_below(ACCOUNT, refused, typed, is_own=True)
    except TextRefused as error:
        return responses.prompt_again(error.message, chosen.ask)
    except OutdatedAction:
        late = outdated.attempt(context, request, SUBJECT, key)
        path = ACCOUNT if late.player is None else own_page(late.player)
        return late.answer(
            path,
            # The word that removes things is no text of anybody's.
            typed=None if introductions.is_removal(typed or "") else typed,
            is_done=partial(_is_done, context, chosen, typed),
        )
    return responses.redirect(own_page(player))


def own_page(player: Player) -> str:
    """Return the address of the player's page where they see what is about themselves."""
    return f"/play/players/{player.name}"


def _is_done(context: AppContext, part: _Part, typed: str | None, player: Player) -> bool:
    """Return whether the player's introduction has what was typed."""
    if not typed:
        return False
    said = introductions.introduction_of(context, player)
    try:
        return part.with_text(said, typed) == said
    except TextRefused:
        return False


ROUTES: Routes = ((f"/play/me/{KEY}/{one_of('part', _PARTS)}", change, ANY),)
