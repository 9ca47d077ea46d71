"""The tables of everyone's games and of the votes for their moves."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table

from capsule.db.schema.base import Moment, metadata
from capsule.db.schema.personal import detail, owner

everyones_games = Table(
    "everyones_games",
    metadata,
    # From 1 upwards. The key allows only one nth game, whichever process begins it.
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("game_id", ForeignKey("games.id"), nullable=False),
    # The results of the earlier games, as the people have them.
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Index("ix_everyones_games_game", "game_id", unique=True),
)

everyones_votes = Table(
    "everyones_votes",
    metadata,
    Column("game_id", ForeignKey("games.id"), primary_key=True, info=detail("game")),
    # The number that the move would have in the game.
    Column("ply", Integer, primary_key=True, autoincrement=False, info=detail("number")),
    # The key allows each player only one vote for a move.
    owner("votes", "cast_at", where=lambda vote: vote.move != "", primary_key=True),
    Column("move", String(64), nullable=False, info=detail("move")),
    Column("cast_at", Moment, nullable=False, info=detail("cast")),
    # How often the player has voted for this move of the game: a link votes once.
    Column("changes", Integer, nullable=False),
    Index("ix_everyones_votes_player", "player_id"),
)
