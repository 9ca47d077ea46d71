"""Programs that play by `ProgramApi`: what they answer, and what they leave alone."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count

import pytest

from capsule.client.connection import GeminiClient, GeminiResponse, NotReached
from capsule.client.playing import MatchmakingOptions, Program
from capsule.client.program_api import PACE, CapsuleRefused, NotAdmitted, ProgramApi
from capsule.gemini.types import Certificate
from engine import VARIANTS
from engine.bots.hosting.course import Forfeit
from tests.support.client import Client, certificate, link, links
from tests.support.stories import ALICE, BOB, CAROL, record, start, start_between
from tests.support.tournaments import announce, resign

ROBOT = certificate("robby")


@dataclass
class Wire(GeminiClient):
    """A server that is asked without sockets, and gives the answers that a test has set first."""

    client: Client
    who: Certificate
    first: list[GeminiResponse | NotReached] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def ask(self, path: str) -> GeminiResponse:
        self.asked.append(path)
        if self.first:
            answer = self.first.pop(0)
            if isinstance(answer, NotReached):
                raise answer
            return answer
        response = self.client.ask(path, self.who)
        return GeminiResponse(response.status, response.meta, response.body)


class FirstMove:
    """Plays the first legal move."""

    def __init__(self, variant: str) -> None:
        self._variant = VARIANTS[variant]

    def choose(self, _game_id: str, moves: Sequence[str]) -> str:
        return next(iter(self._variant.replay(moves).legal_moves()))


class Failing:
    """Fails at every move."""

    def choose(self, _game_id: str, _moves: Sequence[str]) -> str:
        raise Forfeit("crashed")


class TooLong(Exception):
    """A program has waited for longer than a story takes."""


class Robot:
    """A program at play, with what it has waited for."""

    def __init__(
        self,
        client: Client,
        options: MatchmakingOptions | None = None,
        choosers: Sequence[str] = tuple(VARIANTS),
        who: Certificate = ROBOT,
    ) -> None:
        self.wire = Wire(client, who)
        self.waits: list[float] = []
        self.api = ProgramApi(self.wire, self.waits.append, count(step=10).__next__)
        self.program = Program(
            self.api,
            {variant: FirstMove(variant) for variant in choosers},
            options or MatchmakingOptions(),
            self._sleep,
        )

    def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        if len(self.waits) > 30:
            raise TooLong

    def look(self) -> bool:
        return self.program.look()


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param(key, marks=pytest.mark.slow if key in ("ultimate", "extreme") else ())
        for key in VARIANTS
    ],
)
def test_two_programs_find_each_other_and_play_to_the_end(client: Client, variant: str) -> None:
    one = Robot(client, MatchmakingOptions(offers=[variant], games=1), who=ALICE)
    other = Robot(client, MatchmakingOptions(joins=[variant], games=1), who=BOB)
    for _ in range(20 if variant == "tinc" else 400):
        if not one.program.is_done:
            one.look()
        if not other.program.is_done:
            other.look()
    if variant == "tinc":
        # First moves need not end a game that has no end.
        assert (one.program.ended, other.program.ended) == (0, 0)
    else:
        assert (one.program.ended, other.program.ended) == (1, 1)


def test_a_challenge_is_accepted_where_it_can_play_and_declined_where_not(client: Client) -> None:
    start(client, "tinc", "solo", ROBOT)
    robot = Robot(client, choosers=["numeric"])
    played = challenged_by(client, ALICE, "numeric")
    declined = challenged_by(client, BOB, "extreme")
    assert robot.look()
    assert record(client, played)["status"] == "playing"
    assert record(client, declined)["status"] == "aborted"


def challenged_by(client: Client, who: Certificate, variant: str) -> str:
    """Challenge the robot, and return the game's URL."""
    api = ProgramApi(Wire(client, who), lambda _: None, count(step=10).__next__)
    keys = api.ask(f"/play/new/{variant}/keys.json")
    return f"/play/{api.act(keys['challenge'], 'robby').id}"


def test_it_moves_in_every_game_that_waits(client: Client) -> None:
    urls = [start_between(client, variant, ROBOT, BOB) for variant in ("ultimate", "numeric")]
    robot = Robot(client)
    assert robot.look()
    assert [len(record(client, url)["moves"]) for url in urls] == [1, 1]
    assert not robot.look()


def test_a_bot_that_fails_in_a_game_that_it_offered_resigns_and_offers_no_other(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    robot = Robot(client)
    options = MatchmakingOptions(offers=["numeric"])
    robot.program = Program(robot.api, {"numeric": Failing()}, options, lambda _: None)
    with caplog.at_level(logging.INFO):
        assert [robot.look(), robot.look()] == [True, False], "nobody has joined yet"
        offered = links(client.get("/games/")).items()
        seat = next(path for label, path in offered if "robby" in label)
        client.ask(link(client.get(seat, BOB), "/join"), BOB)
        assert [robot.look() for _ in range(3)] == [True, False, False]
    assert record(client, seat)["status"] == "resigned"
    assert robot.program.ended == 1
    assert "lost against bob" in caplog.text
    assert caplog.text.count("offers a game to anyone") == 1
    assert caplog.text.count("seeks no more games of numeric, since the bot has failed") == 1


def test_a_game_of_another_variant_is_left_alone_and_logged_once(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    url = start_between(client, "ultimate", ROBOT, BOB)
    robot = Robot(client, choosers=["numeric"])
    assert [robot.look() for _ in range(3)] == [False] * 3
    assert record(client, url)["status"] == "playing"
    assert caplog.text.count("waits for a bot that plays it") == 1


def test_a_program_that_begins_again_knows_the_seats_that_it_offers(client: Client) -> None:
    options = MatchmakingOptions(offers=["numeric", "tinc"])
    for _ in range(3):
        robot = Robot(client, options)
        for _ in range(3):
            robot.look()
    seats = Robot(client, who=BOB).api.open_seats()
    assert sorted(game.variant for game in seats) == ["numeric", "tinc"]


def test_a_seat_is_open_again_when_somebody_has_taken_the_last_one(client: Client) -> None:
    robot = Robot(client, MatchmakingOptions(offers=["numeric"]))
    robot.look()
    assert Robot(client, MatchmakingOptions(joins=["numeric"], games=1), who=BOB).look()
    robot.look()
    assert [game.variant for game in Robot(client, who=BOB).api.open_seats()] == ["numeric"]


def test_an_offer_of_a_draw_is_declined_and_the_game_goes_on(client: Client) -> None:
    url = start_between(client, "ultimate", BOB, ROBOT)
    bob = ProgramApi(Wire(client, BOB), lambda _: None, count(step=10).__next__)
    game = next(each for each in bob.desk().games)
    bob.act(f"{game.move}".replace("/move.json", "/draw.json"))
    robot = Robot(client)
    assert robot.look()
    assert record(client, url)["status"] == "playing"
    assert not robot.look()


def test_it_joins_tournaments_if_it_is_to(client: Client) -> None:
    url = announce(client, "seats=3", ALICE)
    assert not Robot(client).look()
    assert Robot(client, MatchmakingOptions(tournaments=True)).look()
    assert not Robot(client, MatchmakingOptions(tournaments=True)).look()
    assert "robby" in client.get(url)


def test_it_takes_no_more_games_than_it_is_to(client: Client) -> None:
    for _ in range(5):
        start(client, "numeric", "open", ALICE)
    robot = Robot(client, MatchmakingOptions(joins=["numeric"], at_once=3))
    robot.look()
    assert len(list(robot.api.open_seats())) == 2


def test_it_takes_a_seat_that_is_not_on_the_first_page(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("capsule.programs.pages.MAX_SEATS", 2)
    for who in (ALICE, BOB, CAROL):
        start(client, "tinc", "open", who)
    url = start(client, "numeric", "open", ALICE)
    assert Robot(client, MatchmakingOptions(joins=["numeric"], games=1)).look()
    assert "robby" in record(client, url)["players"].values()


def test_it_says_once_that_it_is_a_program_and_its_name_whenever_it_begins(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        for robot in (Robot(client), Robot(client)):
            robot.look()
            robot.look()
    assert caplog.text.count("has said that it is a program") == 1
    assert caplog.text.count("plays as robby") == 2
    assert "robby is a program" in client.get("/players/robby")


def test_a_seat_that_somebody_else_took_first_is_left_to_them(client: Client) -> None:
    url = start(client, "numeric", "open", ALICE)
    robot = Robot(client, MatchmakingOptions(joins=["numeric"], games=1))
    seats = client.ask("/games/open.json", ROBOT)
    client.get(link(client.get(url, BOB), "/join"), BOB)
    desk = client.ask("/play/desk.json", ROBOT)
    robot.wire.first = [
        GeminiResponse(20, "application/json", response.body) for response in (desk, seats)
    ]
    assert not robot.look()
    assert not robot.look()
    resign(client, url, ALICE)
    robot.look()
    assert robot.program.ended == 0


def test_44_is_obeyed_and_the_same_asked_again(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    robot = Robot(client)
    robot.wire.first = [GeminiResponse(44, "7", ""), GeminiResponse(44, "2", "")]
    robot.look()
    assert robot.waits == [7, 2]
    assert [each.message for each in caplog.records][:2] == [
        "told to slow down: waits 7 s",
        "told to slow down: waits 2 s",
    ]
    assert robot.wire.asked[:3] == ["/play/desk.json"] * 3


def test_who_is_to_wait_no_time_waits_a_second_and_then_longer_up_to_a_minute(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    robot = Robot(client)
    robot.wire.first = [GeminiResponse(44, "0", "")] * 8
    robot.look()
    assert robot.waits == [1, 2, 4, 8, 16, 32, 60, 60]
    assert caplog.messages[0] == "told to slow down: waits 1 s"
    robot.wire.first = [GeminiResponse(44, seconds, "") for seconds in ("0", "7", "0")]
    robot.look()
    assert robot.waits[8:] == [1, 7, 4], "it begins again once it has been answered"


def test_it_asks_no_faster_than_its_pace(client: Client) -> None:
    now, waits = 0.0, []

    def sleep(seconds: float) -> None:
        nonlocal now
        waits.append(seconds)
        now += seconds

    api = ProgramApi(Wire(client, ROBOT), sleep, lambda: now)
    for _ in range(3):
        list(api.open_seats())
        now += 0.1
    assert waits == [pytest.approx(PACE - 0.1)] * 2


def test_it_goes_on_after_the_server_has_been_away(client: Client) -> None:
    url = start_between(client, "numeric", ROBOT, BOB)
    robot = Robot(client, MatchmakingOptions(games=1))
    robot.wire.first = [
        NotReached("refused"),
        NotReached("refused"),
        GeminiResponse(41, "away", ""),
        # Of an answer that is cut off, the rest may come another time.
        GeminiResponse(20, "application/json", '{"version": 1, "player": "ro'),
    ]
    with pytest.raises(TooLong):
        robot.program.play()
    assert len(record(client, url)["moves"]) == 1


@pytest.mark.parametrize(
    ("status", "error"), [(62, NotAdmitted), (61, NotAdmitted), (53, CapsuleRefused)]
)
def test_it_stops_where_it_cannot_go_on(
    client: Client, status: int, error: type[Exception]
) -> None:
    robot = Robot(client)
    robot.wire.first = [GeminiResponse(status, "no", "")]
    with pytest.raises(error):
        robot.program.play()
    assert robot.waits == []


@pytest.mark.parametrize(
    ("meta", "body", "expected"),
    [
        ("text/gemini", "# Hello", "has no interface for programs"),
        ("application/json", "[]", "version None"),
        ("application/json", '{"version": 2, "player": null}', "version 2; only 1 is understood"),
        ("application/json", '{"version": 1}', "KeyError('player')"),
        (
            "application/json",
            '{"version": 1, "player": "robby", "games": [{"id": "a"}], "challenges": []}',
            "KeyError('players')",
        ),
    ],
)
def test_answers_of_another_kind_of_capsule_are_refused(
    client: Client, meta: str, body: str, expected: str
) -> None:
    robot = Robot(client)
    robot.wire.first = [GeminiResponse(20, meta, body)]
    with pytest.raises(CapsuleRefused) as refused:
        robot.program.play()
    assert expected in str(refused.value)
    assert robot.waits == []
