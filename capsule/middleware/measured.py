"""Measurements: an answer passes with the name of the page that it is counted with."""

from dataclasses import replace

from capsule.gemini.types import Answer, Handler, Request, Wait


def measured(handle: Handler, request: Request) -> Answer:
    """Name the page of each answer; that of a wait is named at its end."""
    answer = handle(request)
    return answer if isinstance(answer, Wait) else replace(answer, page=request.route.name)
