"""Answers to actions that came too late: they changed nothing, and lose nothing that was typed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from capsule.ui import render, responses
from capsule.ui.user_text import quotation
from engine.game import message

if TYPE_CHECKING:
    from capsule.gemini.types import Response
    from engine import Message


YOUR_TEXT_WAS = message("Your text was:")

_NOTHING_CHANGED_SINCE = message("Nothing was changed. {reason}.")


@dataclass(frozen=True, slots=True)
class StaleNotice:
    """The sentences that say that nothing was done, and why: for a text, and for a mere link.

    `introduction` stands before the text, where that is shown again. `refused` says the same of
    what was refused for a `reason`.
    """

    text: Message
    link: Message
    introduction: Message = YOUR_TEXT_WAS
    refused: Message = _NOTHING_CHANGED_SINCE


def always(sentence: Message) -> StaleNotice:
    """Return what says the same whether there was a text or not."""
    return StaleNotice(sentence, sentence)


NOTHING_CHANGED = StaleNotice(
    message("Nothing was changed: that page was out of date."),
    message("That link was out of date: nothing was changed."),
)
NOTHING_SENT = StaleNotice(
    message("Nothing was sent: that page was out of date."),
    message("That link was out of date: nothing was sent."),
    refused=message("Nothing was sent. {reason}."),
)


def with_notice(
    path: str, undone: StaleNotice, typed: str | None = None, *, is_own: bool = False
) -> Response:
    """Return the page at a path of ours below the sentence that says that nothing was done.

    The text that was `typed` is shown again if it came with a key that once was the reader's own:
    otherwise anybody could plant words in our pages.
    """
    sentence = undone.text if typed else undone.link
    text = quotation(typed) if typed and is_own else ""
    words = {"sentence": sentence, "introduction": undone.introduction, "text": text}
    preface = render.render("accounts/outdated.gmi", words)
    return replace(responses.redirect(path), preface=preface)
