"""Waiting: at the end of a `Wait`, its request passes the layers inside this one again."""

from dataclasses import replace
from typing import cast

from capsule.gemini.types import Answer, Handler, Request, Response, Wait
from capsule.languages.model import override_language, page_language


def waiting(handle: Handler, request: Request) -> Answer:
    """Answer a request again at the end of its wait, with `Wait.finish` in the place of the page.

    That happens on another thread, in the language that was active when the wait began.
    """
    answer = handle(request)
    if not isinstance(answer, Wait):
        return answer
    language = page_language()
    resumed = request._replace(may_block=True, resume=answer.finish)

    def finish() -> Response:
        with override_language(language):
            return cast("Response", handle(resumed))

    return replace(answer, finish=finish)
