"""Views of games are recorded once a request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.gemini.types import Request, Response
from capsule.middleware.game_views import game_views
from tests.support.client import BEGINNING, certificate

if TYPE_CHECKING:
    from datetime import datetime


def test_only_somebody_with_a_certificate_is_recorded_and_once() -> None:
    seen: list[tuple[str, datetime]] = []
    layer = game_views(lambda request, at: seen.append((request.path, at)), lambda: BEGINNING)
    handle = layer(lambda _: Response(20, "", "page"))
    request = Request("/play/k3x9m2pqrt", None, certificate("alice"))
    for each in (request, request._replace(may_block=True), Request("/play/k3x9m2pqrt")):
        assert handle(each).body == "page"
    assert seen == [("/play/k3x9m2pqrt", BEGINNING)]
