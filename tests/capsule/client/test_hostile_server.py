"""A program at play at a server that answers anything: it goes on, or stops with a line."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from capsule.client.connection import (
    MAX_LENGTH,
    GeminiClient,
    GeminiResponse,
    PrintableFormatter,
    printable,
)
from capsule.client.playing import MatchmakingOptions, Program
from capsule.client.program_api import LONGEST_WAIT, CapsuleRefused, NotAdmitted, ProgramApi
from engine.bots.hosting.course import Forfeit

GAME = {
    "version": 1,
    "id": "k3x9m2pqrt",
    "variant": "tinc",
    "moves": ["a1"],
    "players": {"X": {"name": "robby"}, "O": {"name": "mallory"}},
    "status": "playing",
    "winner": None,
    "seat": "O",
    "move": "/play/k3x9m2pqrt/key/move.json",
    "resign": "/play/k3x9m2pqrt/key/resign.json",
    "offers": [{"kind": "draw", "accept": "/play/a.json", "decline": "/play/d.json"}],
}
CHALLENGE = {**GAME, "status": "challenged", "accept": "/play/a.json", "decline": "/play/d.json"}
SEAT = {**GAME, "status": "waiting", "join": "/play/j.json", "move": None, "offers": []}
DESK = {
    "version": 1,
    "player": "robby",
    "declare": "/play/me/key/program.json",
    "games": [GAME],
    "challenges": [CHALLENGE],
    "open": [SEAT],
}
ADDRESSES = {
    "/play/desk.json": DESK,
    "/games/open.json": {"version": 1, "games": [SEAT]},
    "/play/tournaments/open.json": {
        "version": 1,
        "tournaments": [{"variant": "tinc", "join": "/play/tournaments/t/join.json"}],
    },
    "/play/tournaments/t/join.json": {"version": 1, "title": "Spring"},
    "/play/new/numeric/keys.json": {"version": 1, "open": "/play/o.json", "bots": {}},
}
"""Answers as they should be, by address; every other address answers with the game."""

TEXT = st.text(max_size=20) | st.sampled_from(
    ["\x1b[2J", "e5\r\n", "\ud800", "9" * 400, "²", "a" * 5000]
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)


class LongEnough(Exception):
    """A program has asked, or waited, often enough for a test."""


class Hostile(GeminiClient):
    """A server that is asked without sockets, and spoils its answers."""

    def __init__(self, spoil: Callable[[str, Mapping[str, Any]], GeminiResponse]) -> None:
        self._spoil = spoil
        self._asked = 0

    def ask(self, path: str) -> GeminiResponse:
        self._asked += 1
        if self._asked > 30:
            raise LongEnough
        return self._spoil(path, ADDRESSES.get(path.partition("?")[0], GAME))


class FirstThought:
    """Plays the same move always, unless the moves before are no moves."""

    def choose(self, _game_id: str, moves: Sequence[str]) -> str:
        if not all(move.isalnum() for move in moves):
            raise Forfeit("cannot read the moves")
        return "c2+c3"


def said_while_playing(server: GeminiClient) -> list[str]:
    """Play at a server for a while; return the lines of the log, and the reason why it stopped."""
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) > 5:
            raise LongEnough

    lines: list[str] = []
    handler = Lines(lines)
    log = logging.getLogger("capsule.client")
    log.addHandler(handler)
    before, log.level = log.level, logging.INFO
    # What pytest itself captures has to be UTF-8, where processes share the tests.
    log.propagate = False
    try:
        api = ProgramApi(server, sleep, count(step=10).__next__)
        choosers = {"tinc": FirstThought()}
        options = MatchmakingOptions(["numeric"], ["tinc"], tournaments=True, games=3)
        Program(api, choosers, options, sleep).play()
    except (CapsuleRefused, NotAdmitted) as error:
        lines.append(printable(str(error)))
    except LongEnough:
        pass
    finally:
        log.setLevel(before)
        log.removeHandler(handler)
        log.propagate = True
    assert all(0 <= seconds <= LONGEST_WAIT for seconds in waits)
    return lines


class Lines(logging.Handler):
    """Keeps the lines of a log as a terminal would get them."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self.setFormatter(PrintableFormatter())
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(self.format(record))


def in_json(content: object) -> GeminiResponse:
    return GeminiResponse(20, "application/json", json.dumps(content))


def test_at_a_server_that_is_not_hostile_it_plays() -> None:
    lines = said_while_playing(Hostile(lambda _path, content: in_json(content)))
    assert "tinc k3x9m2pqrt: c2+c3 against robby" in lines
    assert "joined the tournament Spring" in lines


@st.composite
def spoiled(draw: st.DrawFn) -> Callable[[str, Mapping[str, Any]], GeminiResponse]:
    """Return a function that puts something else in the place of one part of each answer."""
    instead = draw(ANYTHING)
    place = draw(st.integers(0, 60))

    def spoil(_path: str, content: Mapping[str, Any]) -> GeminiResponse:
        return in_json(replaced(content, iter(range(place, -1, -1)), instead))

    return spoil


def replaced(content: Any, left: Any, instead: object) -> Any:  # noqa: ANN401 - any JSON
    """Return JSON with something else in the place of that part to which the count comes down."""
    if next(left, None) == 0:
        return instead
    if isinstance(content, dict):
        return {
            name: each if name == "version" else replaced(each, left, instead)
            for name, each in content.items()
        }
    if isinstance(content, list):
        return [replaced(each, left, instead) for each in content]
    return content


@given(spoiled())
def test_whatever_a_field_is_nothing_fails_and_every_line_is_printable(
    spoil: Callable[[str, Mapping[str, Any]], GeminiResponse],
) -> None:
    for line in said_while_playing(Hostile(spoil)):
        assert line.isprintable()
        assert len(line) <= MAX_LENGTH


@given(
    st.integers(10, 69), TEXT | st.just("application/json"), TEXT | st.builds(json.dumps, ANYTHING)
)
@example(44, "9" * 400, "")
@example(44, "²", "")
@example(20, "application/json", "[" * 100_000)
@example(20, "application/json", '{"version": 1, "player": %s}' % ("[" * 100_000 + "]" * 100_000))
@example(20, "application/json", json.dumps({"version": 1, "error": "\x1b]0;owned\x07"}))
@example(20, "application/json", json.dumps({"version": "\x1b[31m" * 1000}))
@example(51, "\x1b[2J", "")
@example(62, "\x9b2J", "")
@example(41, "\u202etxt", "")
def test_whatever_an_answer_is_nothing_fails_and_every_line_is_printable(
    status: int, meta: str, body: str
) -> None:
    answer = GeminiResponse(status, meta, body)
    for line in said_while_playing(Hostile(lambda _path, _content: answer)):
        assert line.isprintable()
        assert len(line) <= MAX_LENGTH


@pytest.mark.parametrize(("meta", "seconds"), [("9" * 400, LONGEST_WAIT), ("²", 10), ("-5", 10)])
def test_a_wait_is_a_number_up_to_an_hour(meta: str, seconds: float) -> None:
    waits: list[float] = []
    answers = iter([GeminiResponse(44, meta, ""), in_json({"version": 1})])
    server = Hostile(lambda _path, _content: next(answers))
    ProgramApi(server, waits.append, count(step=10).__next__).ask("/play/desk.json")
    assert waits == [seconds]
