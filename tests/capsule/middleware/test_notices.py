"""What comes in the place of the page above which a notice would stand."""

from functools import partial

from capsule.gemini.types import Answer, Request, Response, Wait
from capsule.middleware.notices import notices

NOTICE = Response(30, "/play/?a%20b", page="action", preface="Too late.\n")


def answered(goal: Answer) -> Answer:
    def handle(request: Request) -> Answer:
        return {("/action", "text"): NOTICE, ("/play/", "a b"): goal}[request.path, request.query]

    return notices(handle, Request("/action", "text"))


def test_what_comes_in_the_place_of_the_page_is_answered_alone() -> None:
    away = Response(41, "Try again soon")
    assert answered(away) is away


def test_where_no_page_comes_at_once_the_redirect_leads_there() -> None:
    wait = Wait("alice", partial(Response, 20, ""), Response(44, "1"))
    assert answered(wait) == Response(30, "/play/?a%20b")
