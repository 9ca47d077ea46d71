"""The effect of a move of ultimate or extreme, in words."""

from random import Random

import pytest

from engine import VARIANTS
from engine.boards.local_board_effects import boards_of
from engine.boards.local_boards import LocalBoardsPosition
from tests.support.engine.playouts import playout

LATE = (
    "f2 g4 b2 d5 a5 c4 h1 e1 d3 a9 a7 a1 b1 f1 h2 d4 b3 d8 b6 e9 e7 e3 d9 a8 a4 g9 c7 h3 f8 g6 "
    "c8 i4 i1 i2 h4 d1 c9"
)
"""A random game of ultimate in which both sides have two boards in a row."""


def said(variant: str, moves: str, move: str) -> str:
    return str(VARIANTS[variant].replay(moves.split()).effect(move))


DRAWN_BY_TAKING = (
    "c2 i6 h7 e1 e3 f7 g1 a3 b7 d1 c3 i7 i3 i9 h9 f8 h5 e4 f1 h3 d9 b8 f4 i2 g6 a7 b2 d4 b3 d8 c4 "
    "h1 e2 e5 f5 g5 b6 e8 e6 i5 i4 g3 c7 g2 c5 f3 i8 g9 c8 a6 c9 g7 a2 b4 d2 a4 d5 c6 h8 f6 a5 "
    "b5 d3"
)
DRAWN_BY_FILLING = (
    "d4 b1 e1 f3 h9 e7 d2 b4 f2 i4 g1 c2 h6 e9 f9 h7 d1 a3 a7 b2 d6 c8 i5 h4 f1 i2 g4 a1 c1 g3 a9 "
    "b7 b5 e5 d5 a6 b8 a4 c3 g7 b3 d8 c5 h5 i9 i8 g6 c9 g9 b9 d9 c7 h3 e8 c4 i1 h2 c6 a5 g5 "
    "g2 i3 a2"
)
"""Games of ultimate before the move that draws them."""

ALL_CLOSED = "ends the game: all nine small boards are closed and nobody has three in a row"


@pytest.mark.parametrize(
    ("moves", "move", "words"),
    [
        ("", "a1", "sends O to the top left board"),
        ("f3 h7", "d1", "makes two in a row, and sends O to the top left board"),
        ("f3 h7 e2", "e4", "sends X to the top centre board, where X has two in a row"),
        ("f3 h7 e2 e4", "d1", "takes the top centre board, and sends O to the top left board"),
        ("g9 a8 b6 f9 i9", "h9", "blocks X, and sends X to the bottom centre board"),
        ("f3 h7 e2 e4 d2 b6 e9 d9 a8 b4 f2", "h4", "gives X a free choice"),
        (
            "c4 i2 g6 c7 g2 a4 b1 f1 h1 e2 d6 a7 c3 h9 e9 d9",
            "b7",
            "blocks O, but sends O to the top centre board, where O has two in a row",
        ),
        (
            "e9 f8 i4 i3 i9 h8 f6 h7 d3 c7 i1 h3 f9 h9 d7 b3 f7",
            "g3",
            (
                "takes the top right board, the second in a row, and sends X to the "
                "bottom left board"
            ),
        ),
        (
            (
                "b2 e5 f4 h3 f8 h4 e3 f9 g7 b3 e8 d5 c6 h9 d8 c4 g1 c3 h7 e1 e2 e4 d1 b1 f3 i8 g5 "
                "b6 i4 i2 h6"
            ),
            "f5",
            "takes the centre board, which X needed, and sends X to the middle right board",
        ),
        (
            "h5 d6 a7 b2 f6 g9",
            "a9",
            "makes two in a row, and sends O to the bottom left board, where X has two in a row",
        ),
        (
            "h5 d6 a7 b2 f6 g9 c8 i6 i8 i5 h4 f3 h7 e2 e4 e3 e7",
            "e1",
            (
                "takes the top centre board, but gives X a free choice, with the middle right "
                "board to win"
            ),
        ),
        (LATE, "h7", "lets X win at once"),
        (f"{LATE} h7", "a6", "takes the middle left board, the third in a row, and wins"),
        (
            f"{LATE} h7 f7 g3 i6 g8 b4",
            "a6",
            "keeps X from the middle left board, the third in a row, but lets X win at once",
        ),
        (DRAWN_BY_TAKING, "h2", f"takes the top right board, and {ALL_CLOSED}"),
        (DRAWN_BY_FILLING, "i6", ALL_CLOSED),
    ],
)
def test_in_ultimate_it_says_what_the_move_does_and_where_it_sends_the_opponent(
    moves: str, move: str, words: str
) -> None:
    assert said("ultimate", moves, move) == words


@pytest.mark.parametrize(
    ("moves", "move", "words"),
    [
        ("", "a1", "sends O to the top left boards"),
        (
            "p9 c9 r7",
            "i3",
            "sends X to the bottom right boards, where X has two in a row on board 2",
        ),
        ("a2 j6 a8 j5", "j4", "blocks O, and sends O to the top left boards"),
        (
            "o3 i8 g6 c8 h6 f8",
            "i6",
            "takes the middle right board of board 1, and earns a bonus move",
        ),
        (
            (
                "o3 q8 e4 f3 r9 q9 m8 j4 j3 l7 g3 l9 i7 q1 e2 e5 n4 n3 e8 d6 a8 c4 p2 l6 p7 a2 a6 "
                "b9 o7 r1 r2"
            ),
            "i4",
            "sends X to the top right boards, where both sides have two in a row on board 2",
        ),
    ],
)
def test_in_extreme_it_names_the_big_board_and_the_bonus_move(
    moves: str, move: str, words: str
) -> None:
    assert said("extreme", moves, move) == words


@pytest.mark.parametrize("variant", ["ultimate", "extreme"])
def test_where_the_opponent_has_two_in_a_row_a_reply_takes_the_board(variant: str) -> None:
    """The words hold what they promise: only there does some reply take the board."""
    for seed in range(6):
        game = playout(VARIANTS[variant], Random(seed))
        for position, move in zip(game.positions, game.moves, strict=False):
            after = position.play(move)
            words = str(position.effect(move))
            if after.outcome is not None or after.turn is position.turn:
                continue
            now = LocalBoardsPosition.of(after)
            replies = (LocalBoardsPosition.of(now.play(reply)) for reply in now.legal_moves())
            taken = [
                each for each in replies if boards_of(each, now.turn) != boards_of(now, now.turn)
            ]
            promised = ("both sides have two", f"where {after.turn} has two", "to win", "win at")
            assert any(words.count(each) for each in promised) is bool(taken), (words, taken)


@pytest.mark.parametrize("variant", ["ultimate", "extreme"])
def test_every_move_of_a_game_has_words_that_the_outcome_bears_out(variant: str) -> None:
    for seed in range(4):
        game = playout(VARIANTS[variant], Random(seed))
        for position, move in zip(game.positions, game.moves, strict=False):
            words = str(position.effect(move))
            outcome = position.play(move).outcome
            assert words.endswith("and wins") is (
                outcome is not None and outcome.winner is not None
            )
            assert ("ends the game: " in words) is (outcome is not None and outcome.winner is None)


# In a few words, for a narrow screen


@pytest.mark.parametrize(
    ("variant", "moves", "move", "words"),
    [
        ("ultimate", "", "a1", "O to top left"),
        ("ultimate", "f3 h7 e2", "e4", "gives X top centre"),
        ("ultimate", "f3 h7 e2 e4", "d1", "takes it, O to top left"),
        ("ultimate", "g9 a8 b6 f9 i9", "h9", "blocks, X to bottom centre"),
        ("ultimate", "f3 h7 e2 e4 d2 b6 e9 d9 a8 b4 f2", "h4", "lets X choose"),
        ("extreme", "", "n5", "O to centre"),
    ],
)
def test_in_brief_a_move_says_where_it_sends_and_what_it_gives(
    variant: str, moves: str, move: str, words: str
) -> None:
    assert str(VARIANTS[variant].replay(moves.split()).brief_effect(move)) == words


@pytest.mark.parametrize("variant", ["ultimate", "extreme"])
def test_in_brief_a_move_says_what_it_says_at_length(variant: str) -> None:
    phrases = {
        "wins the game": "and wins",
        "ends in a draw": "ends the game",
        "takes it": "takes the",
        "blocks": ("blocks", "keeps"),
        "fills it": ("fills", "blocks"),
        "bonus move": "earns a bonus move",
        "lets": ("lets", "free choice"),
        "gives": "two in a row",
    }
    seen = set()
    for seed in range(12):
        game = playout(VARIANTS[variant], Random(seed))
        for position, move in zip(game.positions, game.moves, strict=False):
            brief, full = str(position.brief_effect(move)), str(position.effect(move))
            for part in brief.split(", "):
                begin = next((each for each in phrases if part.startswith(each)), None)
                if begin is None:
                    continue
                words = phrases[begin]
                assert any(each in full for each in ((words,) if isinstance(words, str) else words))
                seen.add(begin)
    assert seen >= {"wins the game", "takes it", "blocks", "gives", "lets"}
