"""A notice above a page, and what comes in the place of that page."""

from functools import partial

from capsule.gemini.types import Answer, CachePolicy, Request, Response, Wait
from capsule.middleware.notices import notices
from tests.support.client import BEGINNING

NOTICE = Response(30, "/play/?a%20b", page="action", preface="Too late.\n")


def answered(goal: Answer) -> Answer:
    def handle(request: Request) -> Answer:
        return {("/action", "text"): NOTICE, ("/play/", "a b"): goal}[request.path, request.query]

    return notices(handle, Request("/action", "text"))


def test_a_page_below_a_notice_counts_as_that_of_the_action_and_is_not_cached() -> None:
    policy = CachePolicy(BEGINNING)
    page = answered(Response(20, "text/gemini", "# Home\n", page="home", cache_policy=policy))
    assert isinstance(page, Response)
    assert page.body == "Too late.\n\n# Home\n"
    assert (page.page, page.cache_policy) == ("action", None)


def test_what_comes_in_the_place_of_the_page_is_answered_alone() -> None:
    away = Response(41, "Try again soon")
    assert answered(away) is away


def test_where_no_page_comes_at_once_the_redirect_leads_there() -> None:
    wait = Wait("alice", partial(Response, 20, ""), Response(44, "1"))
    assert answered(wait) == Response(30, "/play/?a%20b")
