"""Waiting: the response at the end of a `Wait` passes the layers inside this one again."""

from dataclasses import replace
from typing import cast

from capsule.gemini.types import Answer, Handler, Request, Response, Wait
from capsule.languages.model import speaking, speech


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
