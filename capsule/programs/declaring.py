"""Declaring a player a program, and choosing the challenges that it accepts."""

from collections.abc import Sequence
from dataclasses import replace

import sqlalchemy as sa

from capsule.accounts import queries as account_queries
from capsule.accounts.model import Player
from capsule.context import Transaction
from capsule.db.schema.games import games
from capsule.db.schema.players import players
from capsule.db.schema.ratings import ratings
from capsule.errors import OutdatedAction, Refused
from capsule.everyone import queries as vote_queries
from capsule.games.clock import DAYS_PER_MOVE
from capsule.games.model import GameStatus
from capsule.play.starting import NO_LIMIT
from capsule.seasons import scoring
from engine import VARIANTS, message

RATINGS = ("rated", "casual")
"""The words for whether a game counts for ratings."""

PACES = (*(str(days) for days in DAYS_PER_MOVE), NO_LIMIT)
"""The time limits for a move, as terms have them."""


def declinable() -> Sequence[str]:
    """Return the words in settings for all challenges that a program may decline."""
    return [*VARIANTS, *PACES, *RATINGS]


def may_declare(connection: sa.Connection, player: Player | None) -> bool:
    """Return whether a player can still become a program; `player` is None for a new visitor."""
    if player is None:
        return True
    return not player.is_program and not _has_played_rated(connection, player.id)


def require_may_declare(connection: sa.Connection, player: Player | None) -> None:
    """Raise `Refused` unless a player can still become a program."""
    if not may_declare(connection, player):
        raise Refused(message("You have played rated games as a person. Use another certificate"))


def declare(transaction: Transaction, player: Player) -> None:
    """Make a player a program, for good; raises `Refused`.

    Programs leave the lists, the votes and the season to people.
    """
    connection, now = transaction.connection, transaction.now
    require_may_declare(connection, player)
    account_queries.change_player(connection, player.id, program_since=now)
    _unlist_games_without_person(connection, player.id)
    vote_queries.withdraw_votes(connection, player.id)
    scoring.exclude_program(connection, player.id, now)


def take_challenges(transaction: Transaction, player: Player, word: str, *, takes: bool) -> None:
    """Accept or decline, from now on, the challenges that `word` names in `declinable`.

    Raises `OutdatedAction` if it names none, or the player is no program.
    """
    if not player.is_program or word not in declinable():
        raise OutdatedAction
    others = tuple(each for each in player.settings.declines if each != word)
    settings = replace(player.settings, declines=others if takes else (*others, word))
    account_queries.save_settings(transaction.connection, player.id, settings)


def _has_played_rated(connection: sa.Connection, player_id: int) -> bool:
    """Return whether a player has a rating, or plays a game that will count for one."""
    has_rating = sa.select(ratings.c.id).where(ratings.c.player_id == player_id)
    seats = (games.c.x_player_id, games.c.o_player_id)
    plays = sa.select(games.c.id).where(
        sa.or_(*(seat == player_id for seat in seats)),
        games.c.rated,
        games.c.status == GameStatus.PLAYING,
    )
    return connection.execute(sa.select(sa.or_(has_rating.exists(), plays.exists()))).scalar_one()


def _unlist_games_without_person(connection: sa.Connection, player_id: int) -> None:
    """Unlist a program's games without a person, running or ended."""
    programs = sa.select(players.c.id).where(players.c.program_since.is_not(None))
    for seat, player, bot in (
        (games.c.x_player_id, games.c.o_player_id, games.c.o_bot),
        (games.c.o_player_id, games.c.x_player_id, games.c.x_bot),
    ):
        connection.execute(
            sa.update(games)
            .where(
                seat == player_id, games.c.listed, sa.or_(bot.is_not(None), player.in_(programs))
            )
            .values(listed=False)
        )
