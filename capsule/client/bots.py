"""Bots in processes of their own that choose a program's moves: levels, and anybody's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.bots.hosting.course import Forfeit
from engine.bots.hosting.outside import HostedBot

if TYPE_CHECKING:
    from collections.abc import Sequence


class BotMoveChooser:
    """A bot that plays all of a program's games of one variant, one move at a time.

    `name` is a level or `module:Class`, and `seconds` what it may think, None for what a level
    takes of its own. The process starts with the first move.
    """

    def __init__(self, variant: str, name: str, seconds: float | None, seed: int) -> None:
        self._variant, self._name, self._seconds, self._seed = variant, name, seconds, seed
        self._bot: HostedBot | None = None
        self._game: str | None = None

    def start(self) -> HostedBot:
        """Start the bot's process, unless it runs, and return the bot; raises `NoSuchBot`."""
        if self._bot is None:
            self._bot = HostedBot(self._variant, self._name)
        return self._bot

    def choose(self, game_id: str, moves: Sequence[str]) -> str:
        """Return the move after these moves of a game.

        A bot whose process dies is tried once more. Raises `Forfeit` if it fails again.
        """
        try:
            return self._choose(game_id, moves)
        except Forfeit:
            self._game = None
            return self._choose(game_id, moves)

    def _choose(self, game_id: str, moves: Sequence[str]) -> str:
        bot = self.start()
        if game_id != self._game:
            # The same game goes on with the same luck, whenever it is taken up again.
            bot.new_game(f"{self._seed} {game_id} {len(moves)}")
            self._game = game_id
        seconds = self._seconds if self._seconds is not None else bot.seconds or DEFAULT_SECONDS
        return bot.choose(moves, seconds).choice.move

    def close(self) -> None:
        """End the bot's process, if it runs."""
        if self._bot is not None:
            self._bot.close()


DEFAULT_SECONDS = 2.0
"""Seconds of thought for each move of a bot from outside, by default."""
