"""The rules of each game, in the order of its lesson, and with which words a step teaches each."""

TAUGHT: dict[str, dict[str, tuple[int, str]]] = {
    "numeric": {
        "Odd holds 1, 3, 5, 7 and 9 and begins, Even holds 2, 4, 6 and 8": (
            1,
            "You are Odd, who begins, and hold 1, 3, 5, 7 and 9. Even holds 2, 4, 6 and 8.",
        ),
        "A move puts one of one's numbers in an empty cell, and is written b2=5": (
            1,
            "each of you puts one number in an empty cell: a1=5 would put",
        ),
        "Each number is there once": (4, "A number that has been placed is gone"),
        "Three numbers in a row, a column or a diagonal that make exactly 15 win": (
            2,
            "Complete a line of three numbers that makes exactly 15, and you win.",
        ),
        "They win for whoever completes the line, whosever numbers they are": (
            3,
            "Whoever places the last one, and makes 15, wins.",
        ),
        "Two cells that make 15 are nothing": (
            4,
            "Two numbers that make 15 on their own are no win",
        ),
        "A full board without such a line is a draw": (6, "the game is a draw: half a point each"),
    },
    "quantum": {
        "A move puts two small marks with the same number in two different squares": (
            1,
            "A move puts a small mark in each of two squares.",
        ),
        "X has the odd numbers, O the even ones": (
            1,
            "X makes x1, O makes o2, X makes x3, and so on",
        ),
        "Squares that share a move are entangled": (2, "Squares that share a move are entangled"),
        "A move that closes a cycle causes a measurement": (
            3,
            "A move that ties a string into a ring closes a cycle, and causes a measurement",
        ),
        "The same two squares twice are a cycle, too": (
            3,
            "Two moves in the same two squares are a ring, too.",
        ),
        "The opponent of whoever closed the cycle chooses where the closing mark settles": (
            4,
            "Whoever did not close the cycle chooses where the closing mark settles.",
        ),
        "The other marks of the cycle settle by force, one in a square": (
            4,
            "any other mark there has to settle in its other square",
        ),
        "A settled square takes no more marks": (
            5,
            "A settled mark is drawn large, and its square takes no more marks.",
        ),
        "The choice is a move of its own, and whoever chose also makes the next move": (
            5,
            "whoever chose makes the next move, too",
        ),
        "Marks that hang on the cycle settle, too, and those of other strings do not": (
            6,
            "Marks that only hang on the ring settle, too; other strings stay as they are.",
        ),
        "Three settled marks in a line win, 1 point to 0": (
            6,
            "Three settled marks of yours in a row, a column or a diagonal win, 1 point to 0.",
        ),
        "Of two lines the one with the lower highest number scores 1, the other ½": (
            7,
            "the player whose highest number is lower scores 1 point, the other ½",
        ),
        "A player with two lines takes the better one, and scores no more than 1": (
            7,
            "A player with two lines would take the better one, and still score 1 at most.",
        ),
        "The last square takes a single mark, x9": (
            8,
            "x9 is a single mark and settles there",
        ),
        "If all squares have settled and nobody has a line, nobody scores": (
            8,
            "the game is a draw, and nobody scores",
        ),
    },
}
