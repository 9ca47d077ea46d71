"""The addresses of boards, `/board/<variant>/<moves>`: a position's whole state is its address."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from capsule.gemini.url import MAX_URL_BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOM = 64
"""Bytes that an address leaves for what is added to it: a prompt and the move typed there."""

ROOM_FOR_TERMS = 160
"""Bytes by which an address that starts a game may exceed that of its first page."""

_AS_THEY_ARE = "+=,~"


def board_address(variant: str, moves: Sequence[str]) -> str:
    """Return the address of the board after these moves from the start of a variant, by its key.

    >>> board_address("tinc", ["a1", "c2+c3"]), board_address("numeric", [])
    ('/board/tinc/a1,c2+c3', '/board/numeric/')
    """
    return f"/board/{variant}/{quoted(','.join(moves))}"


def board_of_game(origin: str, variant: str, moves: Sequence[str], game_id: str) -> str:
    """Return the address of the board after the first moves of a game, which are `moves`.

    It names the game and its ply if the moves would make the whole URL too long. `origin` is the
    capsule's address without a path.

    >>> board_of_game("gemini://localhost", "ultimate", ["e5"], "k3x9m2pqrt")
    '/board/ultimate/e5'
    >>> board_of_game("gemini://localhost", "ultimate", ["e5"] * 400, "k3x9m2pqrt")
    '/board/ultimate/~k3x9m2pqrt.400'
    """
    address = board_address(variant, moves)
    return address if fits(origin, address) else board_in_game(variant, game_id, len(moves))


def board_in_game(variant: str, game_id: str, ply: int) -> str:
    """Return the short address of the board after the first `ply` moves of a game.

    >>> board_in_game("tinc", "k3x9m2pqrt", 3)
    '/board/tinc/~k3x9m2pqrt.3'
    """
    return board_address(variant, [f"~{game_id}.{ply}"])


def new_game_from(variant: str, line: str, side: str) -> str:
    """Return the address at which a game from a board is started, by `side`: "x" or "o".

    `line` is what follows the variant in the address of the board.

    >>> new_game_from("numeric", "b2=5", "o")
    '/play/new/numeric?from=b2=5&side=o'
    """
    side_chosen = "" if side == "x" else f"&side={side}"
    return f"/play/new/{variant}?from={quoted(line)}{side_chosen}"


def new_game_with_bot(variant: str, line: str, side: str, level: str) -> str:
    """Return the address at which a game from a board is started, with a level of bots first.

    >>> new_game_with_bot("numeric", "b2=5,a1=2", "x", "novice")
    '/play/new/numeric?from=b2=5,a1=2&side=x&level=novice'
    >>> new_game_with_bot("numeric", "", "x", "novice")
    '/play/new/numeric?side=x&level=novice'
    """
    start = f"from={quoted(line)}&" if line else ""
    return f"/play/new/{variant}?{start}side={side}&level={level}"


def fits(origin: str, address: str, room: int = ROOM) -> bool:
    """Return whether an address, as a whole URL with `room` more bytes, may be asked for.

    Its commas count thrice, since Amfora, for one, asks for the address of a link with `%2C`.
    """
    url = f"{origin}{address}".replace(",", "%2C")
    return len(url.encode()) + room <= MAX_URL_BYTES


def quoted(line: str) -> str:
    """Return moves joined by commas as an address has them: `+` and `=` stay as they are."""
    return quote(line, safe=_AS_THEY_ARE)
