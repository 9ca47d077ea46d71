"""Addresses of a game's page with a query that names an event, which the page ignores.

Browsers mark links that have been followed. By such an address, an event in a feed or in a list is
marked once it has been seen, and a later one is not. Feeds and lists use the same addresses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capsule.games.model import StoredGame


def turn_address(game: StoredGame) -> str:
    """Return the address of the turn that comes now."""
    return turn_address_after(game, game.ply, game.turn_counter - game.ply)


def turn_address_after(game: StoredGame, ply: int, takebacks: int) -> str:
    """Return the address of the turn after `ply` moves, the last of them stored with `takebacks`.

    That number is the difference between a game's turn counter and its moves.
    """
    turn = f"turn-{ply + 1}"
    return event_address(game, f"{turn}-{takebacks}" if takebacks else turn)


def challenge_address(game: StoredGame) -> str:
    """Return the address of the challenge with which a game begins."""
    return event_address(game, "challenge")


def draw_address(game: StoredGame) -> str:
    """Return the address of the draw that is offered now."""
    return event_address(game, f"draw-{game.turn_counter}")


def takeback_address(game: StoredGame) -> str:
    """Return the address of the takeback that is requested now."""
    return event_address(game, f"takeback-{game.turn_counter}")


def end_address(game: StoredGame) -> str:
    """Return the address of the end of a game."""
    return event_address(game, "end")


def event_address(game: StoredGame, event: str) -> str:
    """Return the address of another event of a game."""
    return f"/play/{game.id}?{event}"
