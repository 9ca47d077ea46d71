"""A player's own mistakes: positions of their analysed games in which they gave something away.

They are puzzles for that player alone. What the analysis of the game found is the right answer; of
any other move a bot says whether it is as good.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import sqlalchemy as sa

from capsule.accounts.model import Player
from capsule.bots import queries as bot_queries
from capsule.context import AppContext
from capsule.errors import NotFound
from capsule.games import list_queries, queries as game_queries
from capsule.games.model import DECIDED, StoredGame
from capsule.puzzles import model, queries
from engine import Message, in_context, message
from engine.bots import analysis
from engine.bots.evaluators import Finding, percent
from engine.puzzles import fault_of

MAX_GAMES = 50
"""The number of a player's last finished games that are searched for mistakes."""

_WORTH = {
    1.0: in_context("the worth of a position", "a win"),
    0.75: in_context("the worth of a position", "a win by half a point"),
    0.5: in_context("the worth of a position", "a draw"),
    0.25: in_context("the worth of a position", "a loss by half a point"),
    0.0: in_context("the worth of a position", "a loss"),
}
"""The word for an exact value, from the point of view of the side that has it."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move of a player's own game that gave something away, and whether they found a better one.

    `is_exact` says that the analysis of the game knows what each position is worth.
    """

    player_id: int
    game: StoredGame
    finding: Finding
    best: str
    is_exact: bool
    is_solved: bool

    @property
    def path(self) -> str:
        """The address of its page."""
        return f"/play/mistakes/{self.game.id}/{self.finding.number}"

    @property
    def cost(self) -> Message:
        """The loss by the move, in a sentence."""
        before, after = self.finding.own
        if self.is_exact and before in _WORTH and after in _WORTH:
            return message(
                "With best play you had {before} before this move, and {after} after it.",
                before=_WORTH[before],
                after=_WORTH[after],
            )
        return message(
            "By the analysis, your chance fell from {before} to {after} with this move.",
            before=percent(before),
            after=percent(after),
        )

    def left_with(self, own: float) -> Message:
        """Return the chance that is left, in words."""
        if self.is_exact and own in _WORTH:
            return message(
                "With best play that is {after}. You could have {before}.",
                before=_WORTH[self.finding.own[0]],
                after=_WORTH[own],
            )
        return message(
            "A bot puts your chance at {before} before it, and at {after} after it.",
            before=percent(self.finding.own[0]),
            after=percent(own),
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of an answer: whether it is as good as the move of the analysis.

    `is_right` and the player's `own` probability of winning after it are None if no bot had time to
    judge it; `reply` is what the opponent would play then, None also if the game is over. `fault`
    describes, in sentences, what is wrong with a wrong answer; for a right one, what was wrong with
    the move of the game.
    """

    is_right: bool | None
    own: float | None = None
    reply: str | None = None
    fault: tuple[Message, ...] = ()


def mistakes_of(connection: sa.Connection, player_id: int) -> Sequence[Mistake]:
    """Return the mistakes of a player's last games, those of the latest game first."""
    games = list_queries.games_of_player(connection, player_id, DECIDED, MAX_GAMES)
    return [*_mistakes(connection, player_id, games)]


def find_mistake(
    connection: sa.Connection, player: Player | None, game_id: str, number: int
) -> tuple[Mistake, model.Line]:
    """Return a player's mistake with the position before it; raises `NotFound` if it is none."""
    stored = game_queries.game_by_id(connection, game_id)
    if player is None or stored is None:
        raise NotFound
    found = _mistakes(connection, player.id, [stored])
    mistake = next((each for each in found if each.finding.number == number), None)
    if mistake is None:
        raise NotFound
    moves = game_queries.moves_of(connection, game_id, up_to=number - 1)
    return mistake, model.line(stored.variant.key, [each.move for each in moves])


def judge(context: AppContext, mistake: Mistake, before: model.Line, move: str) -> Verdict:
    """Judge a legal move in the position of a mistake; this may ask a bot."""
    verdict = _judgement(context, mistake, before, move)
    if verdict.is_right is None:
        return verdict
    blamed = mistake.finding.move if verdict.is_right else move
    fault = fault_of(before.variant.key, before.position, blamed, mistake.best)
    return replace(verdict, fault=fault)


def _judgement(context: AppContext, mistake: Mistake, before: model.Line, move: str) -> Verdict:
    played = (*before.played, move)
    position = before.position.play(move)
    if position.outcome is not None:
        own = position.outcome.value_for(mistake.finding.side)
        return Verdict(_is_as_good(mistake, own), own)
    evaluation = context.evaluations.ask(context.bots, position, lambda: played, mistake.player_id)
    known = {mistake.best: True, mistake.finding.move: False}.get(move)
    if evaluation is None:
        return Verdict(known)
    is_own_turn = position.turn is mistake.finding.side
    own = evaluation.win_probability if is_own_turn else 1 - evaluation.win_probability
    is_right = _is_as_good(mistake, own) if known is None else known
    # The player's own next turn would be no answer to the move.
    return Verdict(is_right, own, None if is_own_turn else evaluation.move)


def _mistakes(
    connection: sa.Connection, player_id: int, games: Iterable[StoredGame]
) -> Iterable[Mistake]:
    found = {game.id: game for game in games if game.has_player(player_id)}
    contents = bot_queries.analyses_of(connection, found)
    solved = queries.mistakes_solved(connection, player_id)
    for game_id, game in found.items():
        if game_id not in contents:
            continue
        stored_analysis = analysis.from_json(contents[game_id])
        for finding in stored_analysis.findings:
            is_own = game.seat(finding.side).player_id == player_id
            if is_own and finding.loss > 0 and finding.best is not None:
                is_solved = (game_id, finding.number) in solved
                yield Mistake(
                    player_id, game, finding, finding.best, stored_analysis.is_exact, is_solved
                )


def _is_as_good(mistake: Mistake, own: float) -> bool:
    """Return whether a winning probability is as good as the better move's, or nearly so."""
    before, _ = mistake.finding.own
    return own >= (before if mistake.is_exact else before - analysis.MIN_SWING)
