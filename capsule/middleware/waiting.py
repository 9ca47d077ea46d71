"""Waiting: the response at the end of a `Wait` passes the layers inside this one again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from capsule.gemini.types import Response, Wait
from capsule.ui.languages import speaking, speech

if TYPE_CHECKING:
    from capsule.gemini.types import Answer, Handler, Request


def waiting(handle: Handler, request: Request) -> Answer:
    """Have the same request answered once more at the end of a wait, and the wait's end for page.

    That happens on another thread, in the language that was active when the wait began.
    """
    answer = handle(request)
    if not isinstance(answer, Wait):
        return answer
    language = speech()
    again = request._replace(may_block=True, resume=answer.finish)

    def finish() -> Response:
        with speaking(language):
            return cast("Response", handle(again))

    return replace(answer, finish=finish)
