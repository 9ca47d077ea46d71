"""The bot for ultimate against OpenSpiel's: `python -m tests.bench.versus_openspiel`.

OpenSpiel's MCTSBot (C++; PyPI `open_spiel`) searches with its solver on, uct_c 2 and one random
playout a simulation. Both think for the same time a move, one after the other, on one core. Each
opening of four random moves is played twice, with the sides exchanged. A free choice is two moves
to OpenSpiel, the board and the cell: it thinks the full time for each.
"""

import argparse
import importlib
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from capsule.cli.arena import MatchResults
from engine import VARIANTS, Position, Side
from engine.boards.local_boards import name_of
from engine.bots.bot import Bot
from engine.bots.hosting.match import opening
from engine.bots.local_boards.bot import BoardsBot
from engine.bots.local_boards.compiled import IS_COMPILED
from tests.support.engine.matches import total

ULTIMATE = VARIANTS["ultimate"]
CELLS = {name_of(board, place): (board, place) for board in range(9) for place in range(9)}


class OpenSpielBot:
    """OpenSpiel's MCTSBot, which gets a game as its moves."""

    def __init__(self, seconds: float, seed: int) -> None:
        self._pyspiel: Any = importlib.import_module("pyspiel")
        self._game = self._pyspiel.load_game("ultimate_tic_tac_toe")
        self._bot = self._searching(seed, 1_000_000_000, max_wall_clock_time=seconds)

    def _searching(self, seed: int, simulations: int, **limits: float) -> Any:  # noqa: ANN401 - an OpenSpiel bot
        return self._pyspiel.MCTSBot(
            self._game,
            self._pyspiel.RandomRolloutEvaluator(1, seed),
            2.0,
            simulations,
            2000,
            True,  # noqa: FBT003 - the solver; the binding takes it by place
            seed,
            False,  # noqa: FBT003 - not verbose
            **limits,
        )

    def state(self, moves: Sequence[str]) -> Any:  # noqa: ANN401 - an OpenSpiel state
        state = self._game.new_initial_state()
        for move in moves:
            board, place = CELLS[move]
            before = state.current_player()
            if _chooses_a_board(state):
                state.apply_action(board)
                assert state.current_player() == before
            state.apply_action(place)
        return state

    def choose(self, moves: Sequence[str]) -> str:
        state = self.state(moves)
        if _chooses_a_board(state):
            board = self._bot.step(state)
            state.apply_action(board)
        else:
            board = int(str(state).rsplit("Forced board: ", 1)[1].split()[0])
        return name_of(board, self._bot.step(state))

    def simulations(self, number: int = 50_000) -> float:
        """Return how many simulations a second it makes from the start."""
        bot = self._searching(1, number)
        begin = time.perf_counter()
        bot.step(self._game.new_initial_state())
        return number / (time.perf_counter() - begin)


def _chooses_a_board(state: Any) -> bool:  # noqa: ANN401
    return "Forced board: any" in str(state)


def play(
    moves: list[str], bots: dict[Side, Callable[[Position, Sequence[str]], str]]
) -> tuple[Position, list[str]]:
    position = ULTIMATE.replay(moves)
    while position.outcome is None:
        move = bots[position.turn](position, moves)
        position = position.play(move)
        moves = [*moves, move]
    return position, moves


def match(bot: Bot, seconds: float, games: int, seed: int) -> MatchResults:
    """Return how a bot did, and print a line a game."""
    results = MatchResults(0, 0, 0)
    for number in range(games):
        random = Random(f"{seed} {number // 2}")
        moves = opening("ultimate", 4, random)
        ours = Side.X if number % 2 == 0 else Side.O
        theirs = OpenSpielBot(seconds, seed + number)
        looked, thought = [0], [0.0]

        def choose(position: Position, _: Sequence[str], random: Random = random) -> str:
            begin = time.perf_counter()
            choice = bot.choose(position, seconds, random)
            thought.append(time.perf_counter() - begin)  # noqa: B023 - called within this round
            looked.append(choice.simulations)  # noqa: B023
            return choice.move

        last, moves = play(
            moves, {ours: choose, ours.other: lambda _, moves, theirs=theirs: theirs.choose(moves)}
        )
        assert last.outcome is not None
        winner = last.outcome.winner
        this = MatchResults(winner is ours, winner is None, winner is ours.other)
        results = total([results, this])
        low, high = results.interval()
        print(
            f"game {number + 1:3}: {ours} {this.points:3} in {len(moves)} moves, "
            f"{sum(looked) / sum(thought):,.0f} simulations/s, {max(thought):.3f} s at most; "
            f"score {results.points}/{results.games} = {results.score:.1%} "
            f"[{low:.1%}, {high:.1%}]",
            flush=True,
        )
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    kind = "compiled (extra fast)" if IS_COMPILED else "plain Python"
    rate = OpenSpielBot(1, 1).simulations()
    print(f"BoardsBot, {kind}, against OpenSpiel's MCTSBot ({rate:,.0f} simulations/s)")
    print(f"{options.games} games, {options.seconds} s a move, seed {options.seed}", flush=True)
    match(BoardsBot(), options.seconds, options.games, options.seed)


if __name__ == "__main__":
    main()
