"""Notices: a redirect with a preface is answered with the page that it leads to, below it."""

from dataclasses import replace
from urllib.parse import unquote

from capsule.gemini.types import Answer, Handler, Request, Response, Status
from capsule.languages.addresses import in_language, speech_for
from capsule.languages.model import speaking


def notices(handle: Handler, request: Request) -> Answer:
    """Put the preface of a redirect above the page to which it leads.

    That page may be cached for its own address, but never with a preface.
    """
    answer = handle(request)
    if not isinstance(answer, Response) or not answer.preface:
        return answer
    path, _, query = answer.meta.partition("?")
    goal = in_language(request._replace(path=path, query=unquote(query) or None, resume=None))
    if isinstance(goal, str):
        return replace(answer, preface="")
    with speaking(speech_for(goal)):
        page = handle(goal)
    if not isinstance(page, Response):
        return replace(answer, preface="")
    if page.status != Status.SUCCESS:
        # If that is for a while only, the same request will be answered later.
        return page
    return replace(page, body=f"{answer.preface}\n{page.body}", page=answer.page, cache_policy=None)
