"""Capsules' databases, filled beforehand with players and games."""

import base64
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import NamedTuple

from sqlalchemy import insert

from capsule.accounts.identity import Visitor
from capsule.accounts.model import Player
from capsule.app import build_context
from capsule.config import Config
from capsule.context import AppContext
from capsule.db.schema.games import games, moves
from capsule.gemini.certificates import ensure_server_certificate
from capsule.gemini.types import Certificate
from engine import VARIANTS
from engine.cells import cell_name
from tests.support.client import BEGINNING
from tests.support.people import become_player
from tests.support.quick_database import started_database
from tests.support.wire.identities import Identity


class NewGame(NamedTuple):
    """A game to store, between two players or of one alone, with these moves already made."""

    variant: str
    moves: Sequence[str]
    x: Player
    o: Player


@dataclass(frozen=True)
class Home:
    """A capsule's home folder, and its database, opened beside the capsule that serves it."""

    folder: Path
    context: AppContext
    database_url: str

    def player(self, identity: Identity, name: str) -> Player:
        """Return the player who has that certificate, made with that name if there is none."""
        return become_player(self.context, certificate_of(identity, name))

    def store(self, new: Sequence[NewGame]) -> list[str]:
        """Store games, and return their paths."""
        rows, made = [], []
        for game in new:
            game_id = base64.b32encode(os.urandom(10)).decode().lower()[:10]
            position = VARIANTS[game.variant].start
            for ply, move in enumerate(game.moves, start=1):
                made.append(
                    {
                        "game_id": game_id,
                        "ply": ply,
                        "side": position.turn.value,
                        "move": move,
                        "played_at": BEGINNING,
                    }
                )
                position = position.play(move)
            rows.append(
                {
                    "id": game_id,
                    "variant": game.variant,
                    "listed": True,
                    "x_player_id": game.x.id,
                    "o_player_id": game.o.id,
                    "status": "playing",
                    "turn": position.turn.value,
                    "ply": len(game.moves),
                    "turn_counter": len(game.moves),
                    "created_at": BEGINNING,
                    "moved_at": BEGINNING,
                }
            )
        with self.context.database.writing() as connection:
            connection.execute(insert(games), rows)
            connection.execute(insert(moves), made)
        return [f"/play/{row['id']}" for row in rows]

    def move(self, player: Player, path: str, turn_counter: int, move: str) -> str:
        """Return the URL by which a player makes a move in a game."""
        game_id = path.removeprefix("/play/")
        key = Visitor(player=player).game_key(self.context, game_id, turn_counter)
        return f"{path}/{key}/move?{move}"


def certificate_of(identity: Identity, name: str) -> Certificate:
    """Return a certificate as the capsule sees it."""
    return Certificate(identity.fingerprint, name, BEGINNING, identity.not_after)


@contextmanager
def opened(folder: Path, database_url: str | None = None) -> Iterator[Home]:
    """Make a home with a certificate and an empty database, and have it open during the block.

    The database is a file in the home, unless another one is given, which must be empty.
    """
    folder.mkdir()
    ensure_server_certificate(folder / "certs", "localhost", datetime.now(UTC))
    url = database_url or f"sqlite:///{folder}/oxonaut.db"
    database = started_database(url, os.urandom)
    try:
        context = build_context(Config(home=folder), database, lambda: BEGINNING, os.urandom)
        yield Home(folder, context, url)
    finally:
        database.close()


def growing_tinc(turns: int) -> list[str]:
    """Return the moves of a game of tinc that grows every turn."""
    chance, position, played = Random(3), VARIANTS["tinc"].start, []
    for turn in range(turns):
        rows = 2 * turn + 1
        played.append(cell_name(0, chance.randrange(rows)))
        position = position.play(played[-1])
    return played
