"""Boards that the engine plays and draws, the effects of moves, and the order of the variants."""

from collections.abc import Iterable, Sequence
from itertools import islice
from urllib.parse import quote

from capsule.gemini.url import MAX_URL_BYTES
from capsule.ui.render import Block, block, translate
from engine import ASCII, VARIANTS, Message, Position, Style, Variant, message
from engine.drawing.text import chained, width_beside

MAX_COLUMNS = 64
"""The greatest width of a drawing, in characters."""


def after(variant: str, moves: str = "", count: int | None = None) -> Position:
    """Return the position of a variant after moves separated by spaces.

    With `count`, only that many of them are played, so that a page can show several points of one
    game. Raises the engine's errors if a move cannot be played.
    """
    return VARIANTS[variant].replay(moves.split()[:count])


def board(position: Position, title: str, style: Style = ASCII) -> Block:
    """Return a position's board as a preformatted block; `title` describes it."""
    return block(position.diagram(style), title)


def before_after(position: Position, move: str, style: Style = ASCII) -> Block:
    """Return the boards before and after a move, side by side if the style's columns allow.

    The marks of the move are in brackets. Raises the engine's errors if it cannot be played.
    """
    after = position.play(move).close_up(style, position.marked_by(move))
    return _boards((position.diagram(style), after), move, style)


def last_move(before: Position, move: str, style: Style = ASCII) -> Block:
    """Return the boards before and after the last move of a game, and any stages in between.

    In tinc that is the grid before it grew. The ends of a winning line are marked.
    """
    return _boards(before.stages(move, style), move, style)


def last_move_beside(before: Position, move: str, style: Style = ASCII) -> Block | None:
    """Return the same if the boards fit side by side, else None.

    One below the other they would add nothing to the last of them, in which the move is marked.
    """
    stages = before.stages(move, style)
    if width_beside(stages, style) > style.columns:
        return None
    return _boards(stages, move, style)


def _boards(boards: Iterable[str], move: str, style: Style) -> Block:
    drawing = chained(boards, move, widest=style.columns, style=style)
    return block(
        drawing, translate(message("The board before and after the move {move}", move=move))
    )


SAMPLE_BOARD = "d7 c3 h8 e4 e2 e6 e7 d3 a9 b7 e3 e9 f7 i3 g9 c9".split()
"""A position of ultimate with marks, won boards and open cells, to show how boards are drawn."""

FAMOUS_GAME = ("f1 h2 f6 g8 a4 c2 g4 a3 c9 h8 e6 d8 a6 a8 a5 i8 g6 b8 d6 c8 g5").split()
"""The game of ultimate that its rules page explains; the home page has it until one is played."""


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


MAX_MOVE_LINKS = 12
"""The largest number of legal moves that have links; of more, one is typed."""

MAX_NARROW_LINKS = 18
"""The same where a screen is narrow, as on a phone, on which typing takes longer than scrolling.

Most turns of extreme have as many: those of two small boards.
"""


def linked_moves(position: Position, *, is_narrow: bool = False) -> Sequence[str]:
    """Return the legal moves of a position if there are few enough for links, else none.

    >>> from engine import VARIANTS
    >>> len(linked_moves(VARIANTS["tinc"].start)), len(linked_moves(VARIANTS["extreme"].start))
    (1, 0)
    """
    most = MAX_NARROW_LINKS if is_narrow else MAX_MOVE_LINKS
    moves = tuple(islice(position.legal_moves(), most + 1))
    return moves if len(moves) <= most else ()


def effect_of(position: Position, move: str, *, is_narrow: bool) -> Message | None:
    """Return the effect of a legal move, in as many words as the screen has room for."""
    return position.brief_effect(move) if is_narrow else position.effect(move)


EASIEST_FIRST = ("ultimate", "numeric", "quantum", "extreme", "tinc")
"""The built-in variants, the one first that is explained in a minute and is over in ten."""


def easiest_first() -> Sequence[Variant]:
    """Return all variants, those that are easy to begin with first, and those of plug-ins last.

    >>> [variant.key for variant in easiest_first()][:2]
    ['ultimate', 'numeric']
    """
    return [
        *(VARIANTS[key] for key in EASIEST_FIRST),
        *(variant for key, variant in VARIANTS.items() if key not in EASIEST_FIRST),
    ]
