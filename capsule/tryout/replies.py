"""The bot's replies in games without a certificate: the same ones for the same moves.

The levels of the built-in variants take a few milliseconds for a move and look at no clock, so a
worker thinks for them. Those of plug-ins may take long, and are asked in the bots' processes.
"""

from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import TypeAlias

from capsule.bots.service import BotService
from capsule.errors import require_worker
from capsule.tryout.model import LEVEL, Tryout
from engine.bots import level
from engine.variants import BUILT_IN

STRANGERS = "strangers"
"""The owner of the bots' turns in these games: together they get one between two of a player's."""

Choose: TypeAlias = Callable[[Tryout], str]
"""Returns the bot's move in a game in which the bot is to move."""


class BotsBusy(Exception):
    """No bot had time for a move."""


def is_immediate(game: Tryout) -> bool:
    """Return whether the bot's replies in a game take no longer than a page."""
    return game.variant.key in BUILT_IN


def with_replies(game: Tryout, choose: Choose) -> Tryout:
    """Return the game in which the bot has moved until the reader is to move, or it is over."""
    while game.is_bots_turn:
        game = game.played(choose(game))
    return game


def immediate_reply(game: Tryout) -> str:
    """Return the bot's move in a game of a built-in variant; its chance depends on the moves."""
    require_worker()
    opponent = level(game.variant.key, LEVEL)
    return opponent.bot.choose(game.position, opponent.seconds, Random(_seed(game))).move


def reply_of(bots: BotService, game: Tryout) -> str:
    """Return the move of a bot in a separate process; raises `BotsBusy` if none has time."""
    move = bots.move(game.variant.key, game.board.line, LEVEL, _seed(game), STRANGERS)
    if move is None:
        raise BotsBusy
    return move


def _seed(game: Tryout) -> int:
    digest = sha256(f"{game.variant.key} {game.board.line_as_written}".encode()).digest()
    return int.from_bytes(digest)
