"""Games with bots: their moves, hints, and the analysis of what was played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.bots import queries as bot_queries
from capsule.errors import OutdatedAction
from capsule.games import queries as game_queries
from capsule.games.finish import ended, ending_of, store_change
from capsule.games.moves import make_move, one_move
from capsule.games.reading import load_for_action, load_game
from capsule.games.status import AGREED, PLAYING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsule.accounts.model import Player
    from capsule.context import AppContext
    from capsule.games.model import Game
    from capsule.games.queries import StoredGame


MAX_TOURNAMENT_PLIES = 60
"""Moves after which a bot takes a game of tinc in a tournament for drawn."""


def bot_move(context: AppContext, game_id: str, turn_counter: int, move: str) -> None:
    """Play the move that a bot has chosen; raises `OutdatedAction` where the game has gone on.

    In a tournament the bot lets a game of tinc that might go on for ever end in a draw.
    """
    with one_move(), context.database.writing() as connection:
        game = load_for_action(context, connection, game_id, turn_counter)
        if not game.is_bots_turn:
            raise OutdatedAction
        replayed = make_move(context, connection, game, move)
        after = game_queries.game_by_id(connection, game_id)
        if after is not None and bot_agrees_on_draw(after):
            draw = ending_of(AGREED, None, game.variant.draw_points)
            store_change(connection, after, ended(after, draw, game.now))
    context.replays.put(game_id, turn_counter + 1, replayed)


def may_go_on_for_ever(game: StoredGame) -> bool:
    """Tell whether nothing need end a game of a tournament: one of tinc in which a bot plays.

    Who keeps to the edge cannot lose, the rules know no draw, and a bot does not resign.
    """
    is_with_bot = game.x_bot is not None or game.o_bot is not None
    return game.variant == "tinc" and is_with_bot and game.tournament_id is not None


def bot_agrees_on_draw(game: StoredGame) -> bool:
    """Tell whether the bot that has just moved takes the game for drawn."""
    return game.status == PLAYING and may_go_on_for_ever(game) and game.ply >= MAX_TOURNAMENT_PLIES


def bots_turns(context: AppContext, most: int, *, among_bots: bool = False) -> Sequence[StoredGame]:
    """Return games in which a bot is to move, those that have waited longest first.

    They are those with people, or those `among_bots`.
    """
    with context.database.reading() as connection:
        return bot_queries.bots_turns(connection, most, among_bots=among_bots)


def moves_before(context: AppContext, turn: StoredGame) -> list[str]:
    """Return the moves that led to a bot's turn."""
    with context.database.reading() as connection:
        return [each.move for each in game_queries.moves_of(connection, turn.id, up_to=turn.ply)]


def may_ask_hint(game: Game, player: Player | None) -> bool:
    """Tell whether the player may ask for a hint: at their turn, alone or against a bot.

    A tournament has none.
    """
    if game.stored.tournament_id is not None:
        return False
    return (game.is_solo or game.bot_level is not None) and game.is_turn_of(player)


def count_hint(context: AppContext, player: Player, game_id: str, turn_counter: int) -> None:
    """Note that a hint was asked for; `OutdatedAction` where the player may not ask."""
    with context.database.writing() as connection:
        game = load_for_action(context, connection, game_id, turn_counter)
        if not may_ask_hint(game, player):
            raise OutdatedAction
        game_queries.change_game(connection, game_id, hints=game.stored.hints + 1)


def next_analysis_due(context: AppContext) -> Game | None:
    """Return the game whose analysis has been due for longest, or None where none is."""
    with context.database.reading() as connection:
        due = bot_queries.next_analysis_due(connection)
        return None if due is None else load_game(context, connection, due, due.ply)


def keep_analysis(context: AppContext, game_id: str, content: str | None) -> None:
    """Keep the analysis of a game, which is due no longer; None where none could be made."""
    with context.database.writing() as connection:
        if content is not None:
            bot_queries.keep_analysis(connection, game_id, content)
        game_queries.change_game(connection, game_id, analysis_due=False)


def analysis_of(context: AppContext, game_id: str) -> str | None:
    """Return the analysis of a game as it was kept, None where there is none."""
    with context.database.reading() as connection:
        return bot_queries.analysis_of(connection, game_id)
