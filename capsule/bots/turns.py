"""Bots' moves, hints, and analyses of finished games."""

from collections.abc import Sequence
from dataclasses import replace

from capsule.bots import queries as bot_queries
from capsule.context import AppContext, Transaction, reading
from capsule.errors import OutdatedAction
from capsule.games import finish, offers, queries as game_queries
from capsule.games.game import Game
from capsule.games.model import Ending, StoredGame
from capsule.games.moves import make_move
from capsule.games.point_of_view import PointOfView
from capsule.games.reading import hold_at_turn
from engine import Side

MAX_TOURNAMENT_PLIES = 60
"""Moves after which a bot agrees to draw a tournament game that might never end."""

FIRST_DRAW_PLIES = 6
"""Moves before which no bot agrees to a draw.

Bots know the value of numeric and quantum from the first move on: without this, they would agree to
a draw at once, and nobody would have to earn it.
"""

FIRST_ENDLESS_DRAW_PLIES = 19
"""Moves before which no bot agrees to a draw in a game that might never end: from turn 20 on."""

FIRST_BOT_OFFER_PLIES = 30
"""Moves after which a bot itself offers a draw in a game that might never end."""


def reply(
    context: AppContext,
    game_id: str,
    turn_counter: int,
    move: str | None = None,
    *,
    accepts_draw: bool = False,
) -> Game:
    """Answer the draw that a bot has been offered, or else play its move, and return the game.

    A `move` of None stands for any legal one. In a long game that might never end, a bot that
    `accepts_draw` offers one with its move, once; a tournament game of this kind is drawn after
    `MAX_TOURNAMENT_PLIES` moves. Raises `OutdatedAction` if the game has changed meanwhile.
    """
    with context.writing() as transaction:
        game = hold_at_turn(transaction, game_id, turn_counter)
        if game.stored.answering_bot is not None:
            accepts = accepts_draw and may_agree_to_draw(game.stored)
            offers.answer_draw_as_bot(transaction, game, accepts=accepts)
            return game
        if not game.is_bots_turn:
            raise OutdatedAction
        side = game.stored.turn
        game = make_move(transaction, game, move or next(iter(game.position.legal_moves())))
        if is_drawn_with_bot(game.stored):
            stored = finish.end(transaction.connection, game, Ending.agreement(game.variant))
            game = replace(game, stored=stored)
        elif accepts_draw and may_offer_draw(game.stored, side):
            game = offers.make_draw_offer(transaction.connection, game, side)
    return game


def may_offer_draw(game: StoredGame, side: Side) -> bool:
    """Return whether the bot that plays `side` and has just moved may offer a draw.

    A bot offers one draw a game, to a person, in a long game that might never end.
    """
    return (
        game.is_playing
        and game.variant.may_never_end
        and game.plies_played >= FIRST_BOT_OFFER_PLIES
        and not game.is_between_bots
        and game.everyones_side is None
        and game.seat(side).draw_offered_at_turn is None
    )


def may_agree_to_draw(game: StoredGame) -> bool:
    """Return whether a game is long enough for a bot to agree to a draw."""
    first = FIRST_ENDLESS_DRAW_PLIES if game.variant.may_never_end else FIRST_DRAW_PLIES
    return game.plies_played >= first


def is_drawn_with_bot(game: StoredGame) -> bool:
    """Return whether a game against the bot that has just moved is drawn by its length.

    It is if it might never end and belongs to a tournament. In tinc, a player who stays on the edge
    cannot lose, the rules know no draw, and a bot does not resign.
    """
    is_in_tournament = game.bot_level is not None and game.tournament_id is not None
    is_endless = is_in_tournament and game.variant.may_never_end
    return game.is_playing and is_endless and game.ply >= MAX_TOURNAMENT_PLIES


def count_hint(transaction: Transaction, view: PointOfView) -> None:
    """Count a hint that the player asks for; raises `OutdatedAction` if they may not ask."""
    if not view.may_ask_hint:
        raise OutdatedAction
    stored = view.game.stored
    after = replace(stored, hints=stored.hints + 1)
    game_queries.save_changes(transaction.connection, stored, after)


@reading
def game_with_moves(transaction: Transaction, game_id: str) -> tuple[StoredGame, Sequence[str]]:
    """Return a game and its moves.

    Raises `LookupError` if there is no such game, or its variant is no longer known.
    """
    stored = game_queries.game_by_id(transaction.connection, game_id)
    if stored is None:
        raise LookupError("there is no such game")
    moves = game_queries.moves_of(transaction.connection, game_id, up_to=stored.ply)
    return stored, [each.move for each in moves]


def save_analysis(context: AppContext, game_id: str, content: str | None) -> None:
    """Store the analysis of a game, which is no longer due; None is one that could not be made."""
    with context.database.writing() as connection:
        if content is not None:
            bot_queries.save_analysis(connection, game_id, content)
        game_queries.clear_analysis_due(connection, game_id)
