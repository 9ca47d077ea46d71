"""Views of games are recorded once a request."""

from datetime import datetime
from functools import partial

from capsule.gemini.types import Request, Response
from capsule.middleware.game_views import game_views
from tests.support.client import BEGINNING, certificate


def test_only_somebody_with_a_certificate_is_recorded_and_once() -> None:
    seen: list[tuple[str, datetime]] = []
    layer = partial(
        game_views,
        record=lambda request, at: seen.append((request.path, at)),
        clock=lambda: BEGINNING,
    )
    request = Request("/play/k3x9m2pqrt", None, certificate("alice"))
    for each in (request, request._replace(may_block=True), Request("/play/k3x9m2pqrt")):
        assert layer(lambda _: Response(20, "", "page"), each).body == "page"
    assert seen == [("/play/k3x9m2pqrt", BEGINNING)]
