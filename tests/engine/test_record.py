"""Records: what goes out comes back the same, people can read it, and broken ones are refused."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from random import Random

import pytest
from hypothesis import example, given, settings, strategies as st

from engine import VARIANTS, Side
from engine.record import Record, from_json, from_text, to_json, to_text
from tests.support.engine.playouts import playout

law = settings(deadline=None, derandomize=True, max_examples=15)

FINISHED = Record(
    variant="ultimate",
    id="k3x9m2pqrt",
    x="alice",
    o="bob",
    moves=tuple("a4 a1 a3 a8 b5 d5 c6 g9 b8 d4 b3 f9 h7 d2 c3 g8 b9 e8 e6 d8 b7".split()),
    status="finished",
    winner=Side.X,
    points=(1, 0),
    created=datetime(2026, 11, 20, 14, 2, tzinfo=UTC),
    ended=datetime(2026, 11, 20, 15, 10, 30, 250000, tzinfo=UTC),
)
WAITING = Record(
    variant="tinc",
    id="a7dw4nnh2c",
    x='carol "the 1st" \\ Ünal',
    o=None,
    moves=(),
    status="waiting",
    winner=None,
    points=None,
    created=datetime(2026, 11, 20, 15, 2, tzinfo=timezone(timedelta(hours=1))),
    ended=None,
)

FINISHED_TEXT = """\
[Variant "ultimate"]
[Id "k3x9m2pqrt"]
[X "alice"]
[O "bob"]
[Status "finished"]
[Winner "X"]
[Points "1 0"]
[Created "2026-11-20T14:02:00Z"]
[Ended "2026-11-20T15:10:30.250000Z"]

1. a4 2. a1 3. a3 4. a8 5. b5 6. d5 7. c6 8. g9 9. b8 10. d4
11. b3 12. f9 13. h7 14. d2 15. c3 16. g8 17. b9 18. e8 19. e6
20. d8 21. b7
"""

WAITING_TEXT = r"""
[Variant "tinc"]
[Id "a7dw4nnh2c"]
[X "carol \"the 1st\" \\ Ünal"]
[Status "waiting"]
[Created "2026-11-20T14:02:00Z"]
""".lstrip()

FINISHED_JSON = """\
{
  "variant": "ultimate",
  "id": "k3x9m2pqrt",
  "players": {
    "X": "alice",
    "O": "bob"
  },
  "moves": [
    "a4",
    "a1"
  ],
  "status": "finished",
  "winner": "X",
  "points": [
    1,
    0
  ],
  "created": "2026-11-20T14:02:00Z",
  "ended": "2026-11-20T15:10:30.250000Z"
}
"""

names = st.one_of(st.none(), st.text(max_size=30))
zones = st.builds(
    lambda minutes: timezone(timedelta(minutes=minutes)), st.integers(-14 * 60, 14 * 60)
)
moments = st.datetimes(
    # Some days from the ends of the calendar, so that every zone can express them.
    min_value=datetime.fromisoformat("0001-01-04"),
    max_value=datetime.fromisoformat("9999-12-27"),
    timezones=zones,
)


endings = st.one_of(
    st.just({}),
    st.fixed_dictionaries(
        {
            "reason": st.text(max_size=12),
            "ended_by": st.sampled_from([None, *Side]),
            "challenged": names,
        }
    ),
)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Draw a record of part of a random game; what the host says of it may be anything."""
    variant = draw(st.sampled_from(list(VARIANTS)))
    game = playout(VARIANTS[variant], Random(draw(st.integers(0, 999))))
    return Record(
        variant=variant,
        id=draw(st.text(max_size=12)),
        x=draw(names),
        o=draw(names),
        moves=tuple(game.moves[: draw(st.integers(0, len(game.moves)))]),
        status=draw(st.text(max_size=20)),
        winner=draw(st.sampled_from([None, Side.X, Side.O])),
        points=draw(st.sampled_from([None, (1, 0), (0, 1), (0.5, 0.5), (0, 0), (1, 0.5)])),
        created=draw(moments),
        ended=draw(st.one_of(st.none(), moments)),
        **draw(endings),
    )


# There and back


each_form = pytest.mark.parametrize(
    ("write", "read"), [(to_text, from_text), (to_json, from_json)], ids=["text", "json"]
)


@each_form
@law
@given(record=records())
def test_a_record_comes_back_as_it_went_in_and_can_be_seen_and_sent(
    write: Callable[[Record], str], read: Callable[[str], Record], record: Record
) -> None:
    text = write(record)
    assert read(text) == record
    assert write(read(text)) == text
    assert all(row.isprintable() for row in text.split("\n"))
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    text.encode()


@pytest.mark.parametrize(
    "name",
    [
        "",
        " alice ",
        '"',
        "\\",
        '\\"]',
        "[Winner]",
        "two\nlines",
        "\r\n\r\n1. e5",
        "\x00\x1b[1m",
        "\x85 \u2028 \u2029",
        "\u202ereversed",
        "雪",
        "👩‍🚀",
        "\udc80",
        "null",
    ],
)
def test_any_name_survives(name: str) -> None:
    record = replace(FINISHED, x=name, id=name, status=name)
    assert from_text(to_text(record)) == record
    assert from_json(to_json(record)) == record


def test_a_name_may_hold_any_separator_of_lines_also_unescaped() -> None:
    assert from_text(FINISHED_TEXT.replace("alice", "a\x85l\u2028ice")).x == "a\x85l\u2028ice"


def test_a_time_is_written_in_utc_to_the_microsecond() -> None:
    zone = timezone(timedelta(hours=-3, minutes=-30))
    record = replace(FINISHED, ended=datetime(2026, 11, 20, 22, 0, 0, 1, tzinfo=zone))
    assert '[Ended "2026-11-21T01:30:00.000001Z"]' in to_text(record)
    ended = from_text(to_text(record)).ended
    assert ended == record.ended
    assert ended is not None
    assert ended.tzinfo is UTC


@pytest.mark.parametrize("write", [to_text, to_json])
def test_a_time_without_a_zone_is_not_written(write: Callable[[Record], str]) -> None:
    with pytest.raises(ValueError, match=r"^The time 2026-11-20 14:02:00 has no zone$"):
        write(replace(FINISHED, created=datetime.fromisoformat("2026-11-20T14:02")))


# As people and programs read it


def test_a_finished_game_as_text() -> None:
    assert to_text(FINISHED) == FINISHED_TEXT


def test_a_game_that_waits_for_a_second_player_as_text() -> None:
    assert to_text(WAITING) == WAITING_TEXT


def test_points_that_are_halves_as_text_and_as_json() -> None:
    record = replace(FINISHED, points=(0.5, 1.0))
    assert '[Points "0.5 1"]' in to_text(record)
    assert json.loads(to_json(record))["points"] == [0.5, 1]
    assert "1.0" not in to_json(record)


def test_a_finished_game_as_json() -> None:
    assert to_json(replace(FINISHED, moves=FINISHED.moves[:2])) == FINISHED_JSON


def test_the_members_of_the_json_are_those_of_the_contract() -> None:
    assert json.loads(to_json(WAITING)) == {
        "variant": "tinc",
        "id": "a7dw4nnh2c",
        "players": {"X": 'carol "the 1st" \\ Ünal', "O": None},
        "moves": [],
        "status": "waiting",
        "winner": None,
        "points": None,
        "created": "2026-11-20T14:02:00Z",
        "ended": None,
    }


# Written by hand


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: f"\n{text}\n\n",
        lambda text: text.replace("]\n", "]  \n"),
        lambda text: text.replace(". ", "."),
        lambda text: text.replace("1. a4 2. a1", "a4 a1"),
        lambda text: text.replace("3. a3", "\n\n3. a3\n"),
        lambda text: '[Event "a tournament"]\n' + text,
    ],
    ids=["CR LF", "empty lines", "spaces", "1.a4", "no numbers", "other lines", "unknown tag"],
)
def test_a_text_may_be_laid_out_otherwise(edit: Callable[[str], str]) -> None:
    assert from_text(edit(FINISHED_TEXT)) == FINISHED


# Broken ones

NO_TIME = "is not a time like 2026-11-20T14:02:00Z: "


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("[Variant", "Variant", 'Not a tag: Variant "ultimate"]'),
        ('[Variant "ultimate"]\n', "", 'The record has no value for "variant"'),
        ('"ultimate"', '"chess"', "There is no variant chess: it is one of tinc, ultimate, "),
        ('[Id "k3x9m2pqrt"]\n', "", 'The record has no value for "id"'),
        ('[Id "k3x9m2pqrt"]\n', '[X "eve"]\n', "The tag X is there twice"),
        ('"alice"', r'"\q"', "The tag X cannot be read: Invalid \\escape"),
        ('[Status "finished"]\n', "", 'The record has no value for "status"'),
        ('[Winner "X"]', '[Winner "alice"]', "The winner is X or O: 'alice'"),
        ('"1 0"', '"1"', "The points are two numbers, each 0, 0.5 or 1: [1]"),
        ('"1 0"', '"1 nan"', "The points are two numbers, each 0, 0.5 or 1: [1, None]"),
        ("[Created", "[Made", 'The record has no value for "created"'),
        ("14:02:00Z", "14:02:00", f'The value for "created" {NO_TIME}'),
        ("15:10:30.250000Z", "noon", f'The value for "ended" {NO_TIME}'),
        ("2. a1", "2. a1 a1", "Move 4 is missing: 3. stands in its place"),
        ("3. a3 ", "", "Move 3 is missing: 4. stands in its place"),
        ("2. a1", "2. i9", "Move 2, i9: i9 is in the bottom right board, but you were sent to "),
        ("2. a1", "2. draw?", "Move 2, draw?: Name one cell by its column and row, like b2"),
    ],
)
def test_a_broken_text_is_refused_with_the_reason(old: str, new: str, reason: str) -> None:
    assert FINISHED_TEXT.count(old) >= 1
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}"):
        from_text(FINISHED_TEXT.replace(old, new, 1))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"variant": None}, 'The record has no value for "variant"'),
        ({"variant": ["tinc"]}, "The value for \"variant\" is not a text: ['tinc']"),
        ({"variant": "chess"}, "There is no variant chess: it is one of tinc, "),
        ({"id": 7}, 'The value for "id" is not a text: 7'),
        ({"players": None}, "The players should be a JSON object: None"),
        ({"players": ["alice", "bob"]}, "The players should be a JSON object: ['alice', 'bob']"),
        ({"players": {"X": 1, "O": None}}, 'The value for "X" is not a text: 1'),
        ({"moves": None}, "The moves are not a list of texts: None"),
        ({"moves": "a4"}, "The moves are not a list of texts: 'a4'"),
        ({"moves": {"a4": "a1"}}, "The moves are not a list of texts: {'a4': 'a1'}"),
        ({"moves": ["a4", 1]}, "The moves are not a list of texts: ['a4', 1]"),
        ({"moves": ["a4", "a4"]}, "Move 2, a4: a4 is "),
        ({"status": []}, 'The value for "status" is not a text: []'),
        ({"winner": ""}, "The winner is X or O: ''"),
        ({"winner": 0}, "The winner is X or O: 0"),
        ({"points": [1]}, "The points are two numbers, each 0, 0.5 or 1: [1]"),
        ({"points": [1, 2]}, "The points are two numbers, each 0, 0.5 or 1: [1, 2]"),
        ({"points": [1, float("nan")]}, "The points are two numbers, each 0, 0.5 or 1: [1, nan]"),
        ({"points": ["1", "0"]}, "The points are two numbers, each 0, 0.5 or 1: ['1', '0']"),
        ({"points": []}, "The points are two numbers, each 0, 0.5 or 1: []"),
        ({"created": 0}, 'The value for "created" is not a text: 0'),
        ({"created": "2026-11-20"}, f'The value for "created" {NO_TIME}'),
        ({"created": "0001-01-01T00:00+14:00"}, f'The value for "created" {NO_TIME}'),
        ({"ended": ""}, f'The value for "ended" {NO_TIME}'),
    ],
)
def test_a_broken_json_is_refused_with_the_reason(change: dict[str, object], reason: str) -> None:
    values = json.loads(to_json(FINISHED)) | change
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}"):
        from_json(json.dumps(values))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "The record is not JSON: "),
        ("[Variant", "The record is not JSON: "),
        ("[" * 100_000, "The record is not JSON: "),
        ("9" * 10_000, "The record is not JSON: "),
        ("null", "The record should be a JSON object: None"),
        ("[]", "The record should be a JSON object: []"),
        ('"ultimate"', "The record should be a JSON object: 'ultimate'"),
        ("{}", "The players should be a JSON object: None"),
    ],
    ids=["nothing", "text", "deep", "long", "null", "list", "string", "empty"],
)
def test_what_is_no_json_object_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}"):
        from_json(text)


def is_refused_or_read(read: Callable[[str], Record], text: str) -> bool:
    """Read a text that may be anything; any error but a ValueError with words gets through."""
    try:
        record = read(text)
    except ValueError as error:
        return str(error) != ""
    return record.variant in VARIANTS


@settings(law, max_examples=30)
@given(text=st.one_of(st.text(), st.text(alphabet='[]"\\ \nXO1.e5 Variantultimate')))
@example(text=" ")
@example(text='[X "\\"]')
def test_any_text_is_read_or_refused(text: str) -> None:
    assert is_refused_or_read(from_text, text)
    assert is_refused_or_read(from_json, text)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@settings(law, max_examples=30)
@given(data=st.data())
def test_a_json_with_something_else_in_it_is_read_or_refused(data: st.DataObject) -> None:
    values = json.loads(to_json(data.draw(records())))
    for name in data.draw(st.sets(st.sampled_from(list(values)), min_size=1, max_size=3)):
        if data.draw(st.booleans()):
            del values[name]
        else:
            values[name] = data.draw(anything)
    assert is_refused_or_read(from_json, json.dumps(values))


@each_form
@settings(law, max_examples=25)
@given(record=records(), random=st.randoms(use_true_random=False), junk=st.text(max_size=3))
def test_a_record_damaged_on_its_way_is_read_or_refused(
    write: Callable[[Record], str],
    read: Callable[[str], Record],
    record: Record,
    random: Random,
    junk: str,
) -> None:
    text = write(record)
    start = random.randrange(len(text))
    end = random.randrange(start, min(len(text), start + 8) + 1)
    assert is_refused_or_read(read, text[:start] + junk + text[end:])
