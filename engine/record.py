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

A tag whose value is not known is left out. In both forms a record comes back as it went in.
"""

from __future__ import annotations

import json
import re
import textwrap
from dataclasses import dataclass
from datetime import UTC, datetime

from engine.game import Side
from engine.variants import VARIANTS

LINE_WIDTH = 64
"""Columns that the moves of the text form may take."""

_TAG = re.compile(r'\[(\w+) ("(?:[^"\\]|\\.)*")\]')
_TAGS = ("Variant", "Id", "X", "O", "Status", "Winner", "Points", "Created", "Ended")


@dataclass(frozen=True)
class Record:
    """A game as it is handed on.

    `variant` is a key of VARIANTS; `x` and `o` are the players' names, None for an empty seat;
    `status` is the host's word for how the game stands ("playing", "finished", "resigned" and so
    on); `points` are X's and O's; times are aware and kept to the microsecond, in UTC.
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


def to_json(record: Record) -> str:
    """Return the record as a JSON object, with a newline at the end."""
    values = {
        "variant": record.variant,
        "id": record.id,
        "players": {"X": record.x, "O": record.o},
        "moves": list(record.moves),
        "status": record.status,
        "winner": record.winner and record.winner.value,
        "points": record.points and list(record.points),
        "created": _written(record.created),
        "ended": record.ended and _written(record.ended),
    }
    return json.dumps(values, ensure_ascii=False, indent=2) + "\n"


def from_json(text: str) -> Record:
    """Return the record that `to_json` wrote.

    Raises ValueError where the text is not one, or its moves cannot be played.
    """
    try:
        values = json.loads(text)
        return _checked(
            Record(
                variant=values["variant"],
                id=values["id"],
                x=values["players"]["X"],
                o=values["players"]["O"],
                moves=tuple(values["moves"]),
                status=values["status"],
                winner=Side(values["winner"]) if values["winner"] else None,
                points=_pair(values["points"]) if values["points"] else None,
                created=_read_time(values["created"]),
                ended=_read_time(values["ended"]) if values["ended"] else None,
            )
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"Not a record of a game: {error!r}") from error


def to_text(record: Record) -> str:
    """Return the record as text: tags, an empty line, numbered moves."""
    values = {
        "Variant": record.variant,
        "Id": record.id,
        "X": record.x,
        "O": record.o,
        "Status": record.status,
        "Winner": record.winner and record.winner.value,
        "Points": record.points and " ".join(f"{points:g}" for points in record.points),
        "Created": _written(record.created),
        "Ended": record.ended and _written(record.ended),
    }
    tags = [
        f"[{tag} {json.dumps(values[tag], ensure_ascii=False)}]"
        for tag in _TAGS
        if values[tag] is not None
    ]
    numbered = " ".join(f"{number}. {move}" for number, move in enumerate(record.moves, start=1))
    rows = textwrap.wrap(numbered, LINE_WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*tags, "", *rows]).rstrip() + "\n"


def from_text(text: str) -> Record:
    """Return the record that `to_text` wrote.

    Raises ValueError where the text is not one, or its moves cannot be played.
    """
    head, _, body = text.partition("\n\n")
    tags: dict[str, str] = {}
    for row in head.splitlines():
        match = _TAG.fullmatch(row.strip())
        if match is None:
            raise ValueError(f"Not a tag: {row}")
        tags[match[1]] = json.loads(match[2])
    try:
        return _checked(
            Record(
                variant=tags["Variant"],
                id=tags["Id"],
                x=tags.get("X"),
                o=tags.get("O"),
                moves=tuple(word for word in body.split() if not re.fullmatch(r"\d+\.", word)),
                status=tags["Status"],
                winner=Side(tags["Winner"]) if "Winner" in tags else None,
                points=_pair(tags["Points"].split()) if "Points" in tags else None,
                created=_read_time(tags["Created"]),
                ended=_read_time(tags["Ended"]) if "Ended" in tags else None,
            )
        )
    except KeyError as error:
        raise ValueError(f"The tag {error} is missing") from error


def _checked(record: Record) -> Record:
    if record.variant not in VARIANTS:
        raise ValueError(f"No such variant: {record.variant}")
    VARIANTS[record.variant].replay(record.moves)
    return record


def _pair(points: list[str] | list[float]) -> tuple[float, float]:
    x, o = points
    return (float(x), float(o))


def _written(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _read_time(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
