"""Notices: a redirect with a preface is answered with its target page, below the preface."""

from dataclasses import replace
from urllib.parse import unquote

from capsule.gemini.types import Answer, Handler, Request, Response, Status
from capsule.languages.addresses import in_language, language_for
from capsule.languages.model import override_language


def notices(handle: Handler, request: Request) -> Answer:
    """Answer a redirect that has a preface with the preface above the target page.

    The target may be cached for its own address, but never with a preface.
    """
    answer = handle(request)
    if not isinstance(answer, Response) or not answer.preface:
        return answer
    path, _, query = answer.meta.partition("?")
    goal = in_language(request._replace(path=path, query=unquote(query) or None, resume=None))
    if isinstance(goal, str):
        # The target redirects again.
        return replace(answer, preface="")
    with override_language(language_for(goal)):
        page = handle(goal)
    if not isinstance(page, Response):
        return replace(answer, preface="")
    if page.status != Status.SUCCESS:
        # After a temporary failure, the visitor can repeat the original request.
        return page
    return replace(page, body=f"{answer.preface}\n{page.body}", page=answer.page, cache_policy=None)
