"""Views of games are recorded once a request."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from capsule.gemini.types import Request, Response
from capsule.middleware.game_views import game_views
from tests.support.client import BEGINNING, certificate

if TYPE_CHECKING:
    from datetime import datetime


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
