"""Making moves, and planning answers, which are played after the expected moves."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

import sqlalchemy as sa

from capsule.context import Transaction
from capsule.errors import OutdatedAction, Refused
from capsule.games import queries
from capsule.games.finish import finish
from capsule.games.game import MAX_RECENT_MOVES, Game
from capsule.games.model import Ending, StoredMove
from capsule.games.point_of_view import PointOfView, Spectator
from capsule.games.reading import Replayed
from capsule.ui import typed_words
from engine import Message, MoveError, Position, Side, message

Line = Sequence[str]


MAX_ANSWERS = 5
"""Answers allowed in one line; consecutive moves of one side are one answer."""

MAX_LINES = 10
"""Lines allowed in one plan."""


def plan_in_words(connection: sa.Connection, view: PointOfView | Spectator) -> Sequence[Message]:
    """Return the player's plan as sentences; () for a reader who may not plan."""
    if not view.is_seated or not view.may_plan:
        return ()
    plans = queries.plans_of(connection, view.game.id)
    return describe(view.game.position, plans.get(view.side, ()))


def add_line(transaction: Transaction, view: PointOfView, typed: str) -> None:
    """Add a line to the player's plan.

    The transaction holds the game. Raises `Refused` if the line cannot be played, or does not
    fit the plan.
    """
    if not view.may_plan:
        raise OutdatedAction
    position = view.game.position
    line = parse_line(position, view.side, typed)
    plans = queries.plans_of(transaction.connection, view.game.id)
    lines = with_line(position, view.side, plans.get(view.side, ()), line)
    queries.save_plan(transaction.connection, view.game.id, view.side, lines)


def clear_plan(transaction: Transaction, view: PointOfView) -> None:
    """Delete the player's plan, in a transaction that holds the game."""
    if not view.may_plan:
        raise OutdatedAction
    queries.save_plan(transaction.connection, view.game.id, view.side, ())


def take_answer(connection: sa.Connection, game: Game, move: str) -> str | None:
    """Return the answer that the side to move has planned to the move just made, or None.

    In both sides' plans, lines that begin with the move lose it; all others are deleted.
    """
    stored = game.stored
    if not (stored.is_running and stored.is_between_people):
        return None
    answer = None
    for side, lines in queries.plans_of(connection, stored.id).items():
        fitting = [line[1:] for line in lines if line[0] == move and len(line) > 1]
        queries.save_plan(connection, stored.id, side, fitting)
        if fitting and side is game.position.turn:
            answer = fitting[0][0]
    return answer


def parse_line(position: Position, side: Side, typed: str) -> Line:
    """Return the line that a side has typed for a position in which the other side is to move.

    The moves are separated by "if" and "then", arrows or semicolons, or else by spaces. A comma may
    also separate two moves in a row by one side. Raises `Refused`.
    """
    parts = [part for part in typed_words.between_moves(typed) if part]
    if len(parts) == 1:
        parts = parts[0].split()
    line: list[str] = []
    movers: list[Side] = []
    while parts:
        part, *parts = parts
        try:
            move = position.parse(part)
        except MoveError as error:
            # A comma may also stand between the cells of a single move.
            moves = typed_words.in_a_row(part)
            if len(moves) > 1:
                parts = [*moves, *parts]
                continue
            raise Refused(
                message("{move} cannot be planned: {reason}", move=part, reason=error.message)
            ) from error
        line.append(move)
        movers.append(position.turn)
        position = position.play(move)
    if not line:
        raise Refused(message("Type a move and your answer to it"))
    if movers[-1] is not side:
        raise Refused(message("Add your answer to {move}", move=line[-1]))
    if [mover for mover, _ in groupby(movers)].count(side) > MAX_ANSWERS:
        raise Refused(message("A plan has at most {count} answers in a row", count=MAX_ANSWERS))
    return tuple(line)


def with_line(position: Position, side: Side, plan: Sequence[Line], line: Line) -> Sequence[Line]:
    """Return a side's plan with another line, which replaces any line that it continues.

    Raises `Refused` if it contradicts a planned answer, or if the plan is full.
    """
    other_lines = []
    for planned in plan:
        shared = _count_shared_moves(planned, line)
        if shared == len(line):
            return plan
        if shared == len(planned):
            continue
        if position_after(position, planned[:shared]).turn is side:
            raise Refused(
                message(
                    "After {moves} you have planned {move}. Clear your plans to change that",
                    moves=tuple(planned[:shared]),
                    move=planned[shared],
                )
            )
        other_lines.append(planned)
    if len(other_lines) >= MAX_LINES:
        raise Refused(message("A plan has at most {count} lines", count=MAX_LINES))
    return [*other_lines, line]


def describe(position: Position, plan: Sequence[Line]) -> Sequence[Message]:
    """Return the lines of a plan as sentences.

    >>> from engine import VARIANTS
    >>> [str(line) for line in describe(VARIANTS["ultimate"].start, [("e5", "d4", "a1", "c3")])]
    ['If e5 then d4, if a1 then c3']
    """
    return [_sentence(position, line) for line in plan]


def _sentence(position: Position, line: Line) -> Message:
    movers = []
    for move in line:
        movers.append(position.turn)
        position = position.play(move)
    turns = [
        tuple(move for _, move in moves)
        for _, moves in groupby(zip(movers, line, strict=True), key=lambda each: each[0])
    ]
    sentence = message("If {moves} then {answers}", moves=turns[0], answers=turns[1])
    for moves, answers in zip(turns[2::2], turns[3::2], strict=True):
        sentence = message(
            "{sentence}, if {moves} then {answers}", sentence=sentence, moves=moves, answers=answers
        )
    return sentence


def position_after(position: Position, moves: Sequence[str]) -> Position:
    """Return the position after these moves from a given one."""
    for move in moves:
        position = position.play(move)
    return position


def _count_shared_moves(one: Line, other: Line) -> int:
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def move(transaction: Transaction, view: PointOfView, text: str) -> Game:
    """Play the move that the player typed and any planned answers; return the resulting game.

    The transaction holds the game, which is running. Raises `Refused` if the move cannot be played,
    and `OutdatedAction` if it is not the player's turn.
    """
    game = view.game
    if game.position.turn is not view.side:
        raise OutdatedAction
    try:
        notation = game.position.parse(text)
    except MoveError as error:
        raise Refused(error.message) from error
    game = make_move(transaction, game, notation)
    while (answer := take_answer(transaction.connection, game, notation)) is not None:
        notation = answer
        game = make_move(transaction, game, notation, planned=True)
    return game


def make_move(transaction: Transaction, game: Game, move: str, *, planned: bool = False) -> Game:
    """Store a legal move, given in canonical notation, and return the resulting game.

    The transaction holds the game. A `planned` move was typed in advance. Once the move is stored,
    its position is cached, to spare the game's page the replay.
    """
    connection, now = transaction.connection, transaction.now
    stored = game.stored
    position = game.position.play(move)
    is_same_turn = bool(game.recent) and game.recent[-1].side is game.position.turn
    stored_move = StoredMove(
        ply=game.ply + 1,
        side=game.position.turn,
        move=move,
        played_at=now,
        # Distinguishes the move from earlier moves of the same number that were taken back.
        takebacks=stored.turn_counter - game.ply,
        planned=planned,
    )
    queries.add_moves(connection, stored.id, [stored_move])
    moved = replace(
        stored,
        ply=stored_move.ply,
        turn=position.turn,
        draw_offered_by=None,
        takeback_asked_by=None,
        moved_at=now,
        bot_to_move=stored.seat(position.turn).bot is not None,
        turn_counter=stored.turn_counter + 1,
    )
    if position.outcome is not None:
        ending = Ending.by_rules(position.outcome)
    elif moved.is_drawn_by_length:
        is_of_cup = stored.ends_by is not None
        ending = Ending.by_terms(game.variant) if is_of_cup else Ending.agreement(game.variant)
    else:
        ending = None
    if ending is None:
        queries.save_changes(connection, stored, moved)
    else:
        # A move that ends the game raises the turn counter once, like any other.
        ended = moved.ended(ending, now)
        moved = finish(connection, stored, replace(ended, turn_counter=moved.turn_counter))
    moved_game = replace(
        game,
        stored=moved,
        position=position,
        ply=stored_move.ply,
        recent=(*game.recent, stored_move)[-MAX_RECENT_MOVES:],
        before_turn=game.before_turn if is_same_turn else game.position,
    )
    replayed = Replayed(position, moved_game.recent, moved_game.before_turn)
    cache = transaction.context.replays
    transaction.after_commit(partial(cache.put, stored.id, moved.turn_counter, replayed))
    return moved_game
