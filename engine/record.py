"""A whole game as readable text and as JSON, and back.

The text form has a line for each tag, an empty line, then the moves with their numbers:

    [Variant "ultimate"]
    [Id "k3x9m2pqrt"]
    [X "alice"]
    [O "bob"]
    [Status "finished"]
    [Winner "X"]
    [Points "1 0"]
    [Created "2026-11-20T14:02:00Z"]
    [Ended "2026-11-20T15:10:00Z"]

    1. e5 2. d4 3. a1

A game that was played from a position has the tag Start, with the number of moves that lead to it.
One without a result has the tag Reason, EndedBy with the side that brought its end about, and
Challenged with the name of a player who was challenged.
A tag whose value is not known is left out. Either form reads back as the record that it was written
from. Text in quotes is written as in JSON, with invisible characters as escapes.
"""

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from reprlib import repr as shortened

from engine.game import Side
from engine.variants import VARIANTS

LINE_WIDTH = 64
"""Columns that the moves of the text form may take."""

_TAG = re.compile(r'\[(\w+) ("(?:[^"\\]|\\.)*")\]')
_TAGS = (
    *("Variant", "Id", "X", "O", "Status", "Reason", "EndedBy", "Challenged", "Winner", "Points"),
    *("Created", "Ended", "Start"),
)
_GLUE = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class Record:
    """A game as a record for people and programs.

    `variant` is a key of VARIANTS; `x` and `o` are the players' names, None for an empty seat;
    `status` is the host's word for the state of the game ("playing", "finished", "resigned" and so
    on); `points` are X's and O's; times are aware, to the microsecond, in UTC. The first
    `start` of the moves lead to the position from which the game was played, and are nobody's.
    `reason` is the host's word for why the game ended without a result, and `ended_by` the side
    that brought that about, if one did. `challenged` is the name of a player who was challenged.
    """

    variant: str
    id: str
    x: str | None
    o: str | None
    moves: tuple[str, ...]
    status: str
    winner: Side | None
    points: tuple[float, float] | None
    created: datetime
    ended: datetime | None
    start: int = 0
    reason: str | None = None
    ended_by: Side | None = None
    challenged: str | None = None


def to_json(record: Record) -> str:
    """Return the record as a JSON object, with a newline at the end.

    Raises ValueError if a time has no zone.
    """
    values: dict[str, object] = {
        "variant": record.variant,
        "id": record.id,
        "players": {"X": record.x, "O": record.o},
        "moves": list(record.moves),
        "status": record.status,
        "winner": record.winner and record.winner.value,
        "points": record.points
        and [int(points) if points == int(points) else points for points in record.points],
        "created": _written(record.created),
        "ended": record.ended and _written(record.ended),
    }
    if record.start:
        values["start"] = record.start
    if record.reason is not None:
        values |= {
            "reason": record.reason,
            "ended_by": record.ended_by and record.ended_by.value,
            "challenged": record.challenged,
        }
    return _visible(json.dumps(values, ensure_ascii=False, indent=2)) + "\n"


def from_json(text: str) -> Record:
    """Return the record that `to_json` wrote; a member that is not there counts as null.

    Raises ValueError if the text is not one, or its moves cannot be played.
    """
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"The record is not JSON: {error}") from error
    game = _object("record", values)
    players = _object("players", game.get("players"))
    moves = game.get("moves")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise ValueError(f"The moves are not a list of texts: {shortened(moves)}")
    names = {"x": players.get("X"), "o": players.get("O")}
    return _record({**game, **names, "endedby": game.get("ended_by")}, moves)


def to_text(record: Record) -> str:
    """Return the record as text: tags, an empty line, numbered moves.

    Raises ValueError if a time has no zone.
    """
    values = {
        "Variant": record.variant,
        "Id": record.id,
        "X": record.x,
        "O": record.o,
        "Status": record.status,
        "Reason": record.reason,
        "Challenged": record.challenged,
        "EndedBy": record.ended_by and record.ended_by.value,
        "Winner": record.winner and record.winner.value,
        "Points": record.points and " ".join(f"{points:g}" for points in record.points),
        "Created": _written(record.created),
        "Ended": record.ended and _written(record.ended),
        "Start": str(record.start) if record.start else None,
    }
    tags = [
        f"[{tag} {_visible(json.dumps(values[tag], ensure_ascii=False))}]"
        for tag in _TAGS
        if values[tag] is not None
    ]
    numbered = " ".join(
        f"{number}.{_GLUE}{move}" for number, move in enumerate(record.moves, start=1)
    )
    rows = textwrap.wrap(numbered, LINE_WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*tags, "", *(row.replace(_GLUE, " ") for row in rows)]).rstrip() + "\n"


def from_text(text: str) -> Record:
    """Return the record that `to_text` wrote; tags that are not known are passed over.

    Raises ValueError if the text is not one, or its moves cannot be played.
    """
    head, _, body = text.replace("\r\n", "\n").strip().partition("\n\n")
    values: dict[str, object] = {}
    for row in head.split("\n"):
        match = _TAG.fullmatch(row.strip())
        if match is None:
            raise ValueError(f"Not a tag: {row}")
        name = match[1].lower()
        if name in values:
            raise ValueError(f"The tag {match[1]} is there twice")
        try:
            values[name] = json.loads(match[2])
        except ValueError as error:
            raise ValueError(f"The tag {match[1]} cannot be read: {error}") from error
    if isinstance(points := values.get("points"), str):
        values["points"] = [_POINTS.get(word) for word in points.split()]
    return _record(values, _numbered_moves(body))


_POINTS = {"0": 0, "0.5": 0.5, "1": 1}


def _numbered_moves(body: str) -> Sequence[str]:
    moves: list[str] = []
    for word in body.split():
        number, dot, move = word.rpartition(".")
        if dot and number != str(len(moves) + 1):
            raise ValueError(f"Move {len(moves) + 1} is missing: {word} stands in its place")
        if move:
            moves.append(move)
    return moves


def _record(values: Mapping[str, object], moves: Sequence[str]) -> Record:
    """Return the record with these values, by the names of its fields, once all are checked."""
    variant = _text("variant", values.get("variant"))
    if variant not in VARIANTS:
        raise ValueError(f"There is no variant {variant}: it is one of {', '.join(VARIANTS)}")
    VARIANTS[variant].replay(moves)
    x, o, ended = values.get("x"), values.get("o"), values.get("ended")
    reason, challenged = values.get("reason"), values.get("challenged")
    return Record(
        variant=variant,
        id=_text("id", values.get("id")),
        x=None if x is None else _text("X", x),
        o=None if o is None else _text("O", o),
        moves=tuple(moves),
        status=_text("status", values.get("status")),
        winner=_side(values.get("winner")),
        points=_pair(values.get("points")),
        created=_moment("created", values.get("created")),
        ended=None if ended is None else _moment("ended", ended),
        start=_ply(values.get("start"), len(moves)),
        reason=None if reason is None else _text("reason", reason),
        ended_by=_side(values.get("endedby"), "side that ended it"),
        challenged=None if challenged is None else _text("challenged", challenged),
    )


def _object(name: str, value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ValueError(f"The {name} should be a JSON object: {shortened(value)}")  # noqa: TRY004 - broken input
    return value


def _text(name: str, value: object) -> str:
    if value is None:
        raise ValueError(f'The record has no value for "{name}"')
    if not isinstance(value, str):
        raise ValueError(f'The value for "{name}" is not a text: {shortened(value)}')  # noqa: TRY004 - broken input
    return value


def _side(value: object, name: str = "winner") -> Side | None:
    for side in Side:
        if value == side.value:
            return side
    if value is None:
        return None
    raise ValueError(f"The {name} is X or O: {shortened(value)}")


def _ply(value: object, last: int) -> int:
    """Return the number of moves with which a game begins, of `last` that it has."""
    digits = str(0 if value is None else value)
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 10 and int(digits) <= last):
        raise ValueError(f"The start is no number of moves of the game: {shortened(value)}")
    return int(digits)


def _pair(value: object) -> tuple[float, float] | None:
    match value:
        case None:
            return None
        case [int() | float() as x, int() | float() as o] if {x, o} <= {0, 0.5, 1}:
            return (x, o)
    raise ValueError(f"The points are two numbers, each 0, 0.5 or 1: {shortened(value)}")


def _moment(name: str, value: object) -> datetime:
    text = _text(name, value)
    try:
        moment = datetime.fromisoformat(text)
        if moment.utcoffset() is not None:
            return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise ValueError(
        f'The value for "{name}" is not a time like 2026-11-20T14:02:00Z: {shortened(text)}'
    )


def _written(moment: datetime) -> str:
    if moment.utcoffset() is None:
        raise ValueError(f"The time {moment} has no zone")
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _visible(text: str) -> str:
    """Return a JSON text with each character that cannot be seen written as an escape."""
    return "".join(
        character if character.isprintable() or character == "\n" else json.dumps(character)[1:-1]
        for character in text
    )
