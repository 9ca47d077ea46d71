"""A notice stands above the page to which its redirect leads."""

from capsule.gemini.types import Answer, Request, Response, Wait
from capsule.middleware.notices import notices

NOTICE = Response(30, "/play/?a%20b", page="action", preface="Too late.\n")


def answered(goal: Answer) -> Answer:
    def handle(request: Request) -> Answer:
        if request.path == "/action":
            return NOTICE
        assert (request.path, request.query) == ("/play/", "a b")
        return goal

    return notices(handle, Request("/action", "text"))


def test_it_stands_above_the_page_which_counts_as_that_of_the_action() -> None:
    page = answered(Response(20, "text/gemini", "# Home\n", page="home"))
    assert page == Response(20, "text/gemini", "Too late.\n\n# Home\n")
    assert isinstance(page, Response)
    assert (page.page, page.cache_policy) == ("action", None)


def test_what_comes_in_the_place_of_the_page_is_answered_alone() -> None:
    away = Response(41, "Try again soon")
    assert answered(away) is away


def test_where_no_page_comes_at_once_the_redirect_leads_there() -> None:
    wait = Wait("alice", lambda: Response(20, ""), Response(44, "1"))
    assert answered(wait) == Response(30, "/play/?a%20b")


def test_other_redirects_pass() -> None:
    redirect = Response(30, "/")
    assert notices(lambda _: redirect, Request("/action")) is redirect
