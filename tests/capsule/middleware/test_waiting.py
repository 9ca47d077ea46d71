"""The end of a wait passes the layers again, in the language in which it began."""

from capsule.gemini.types import Answer, Request, Response, Wait
from capsule.languages.model import activate_language, active_language
from capsule.middleware import stack
from capsule.middleware.from_address import from_address
from capsule.middleware.waiting import waiting

NOW = Response(44, "1")


def test_it_comes_in_the_place_of_the_page() -> None:
    passed: list[bool] = []

    def handle(request: Request) -> Answer:
        passed.append(request.may_block)
        if request.resume is not None:
            return request.resume()
        activate_language("pt")
        return Wait("alice", lambda: Response(20, "", active_language().key), NOW)

    wait = stack(from_address, waiting, inside=handle)(Request("/"))
    assert isinstance(wait, Wait)
    assert (wait.owner, wait.fallback, passed) == ("alice", NOW, [False])
    assert wait.finish() == Response(20, "", "pt")
    assert passed == [False, True]
    assert active_language().key == "en"


def test_other_answers_pass_as_they_are() -> None:
    page = Response(20, "", "page")
    assert waiting(lambda _: page, Request("/")) is page
