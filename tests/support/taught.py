"""The rules of each game, in the order of its lesson, and with which words a step teaches each."""

TAUGHT: dict[str, dict[str, tuple[int, str]]] = {
    "numeric": {
        "Odd holds 1, 3, 5, 7 and 9 and begins, Even holds 2, 4, 6 and 8": (
            1,
            "Odd begins, with the numbers 1, 3, 5, 7 and 9; Even has 2, 4, 6 and 8.",
        ),
        "A move puts one of one's numbers in an empty cell, and is written b2=5": (
            1,
            "A turn puts one number in an empty cell: a1=5 puts 5",
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
    "ultimate": {
        "Nine small boards make up a big one, and X begins in any of the 81 cells": (
            1,
            "Nine small boards stand three by three, with 81 cells",
        ),
        "A cell is named by its column and its row, a1 to i9": (1, "from a1 to i9"),
        "A cell's place in its small board names the board where the opponent must play": (
            2,
            "You must play in the small board to which you have been sent.",
        ),
        "Three in a row win a small board and close it": (
            3,
            "Three of your marks in a row, a column or a diagonal win a small board. It is closed",
        ),
        "Sent to a closed board, one may play on any open one": (
            4,
            "Whoever is sent to a closed board may play on any open one",
        ),
        "A full board is closed, too, and counts for nobody": (
            5,
            "A small board that is full without three in a row is closed, too",
        ),
        "Three small boards in a row win the game": (
            7,
            "Three small boards in a row, a column or a diagonal win the game",
        ),
        "If no cell is left to play in, the game is a draw": (
            7,
            "If no cell is left and nobody has that, the game is a draw",
        ),
    },
    "extreme": {
        "Two big boards have nine small boards each, and X begins in any of the 162 cells": (
            1,
            "begin in any cell you like",
        ),
        "The columns a to i are big board 1, j to r big board 2": (
            1,
            "Big board 1 has the columns a to i, big board 2 the columns j to r: 162 cells.",
        ),
        "A cell's place in its small board sends to the boards at that place": (
            1,
            "sends your opponent to the small boards at that place",
        ),
        "One may choose on which of both big boards": (2, "whichever you like"),
        "Three in a row win a small board, which is abandoned": (
            3,
            "a diagonal win a small board. Nobody plays there any more",
        ),
        "Whoever wins a small board moves once more": (3, "the winner moves again at once"),
        "The rule of places binds a bonus move, too": (
            4,
            "The rule of places binds a bonus move, too",
        ),
        "If one of both boards is closed, one plays on the other": (
            4,
            "If one of two boards is closed, only the other is left.",
        ),
        "There is one bonus move in a turn, even if it wins a small board, too": (
            5,
            "there is only one in a turn, so after it the turn passes",
        ),
        "A full board is closed, too, and counts for nobody": (
            6,
            "A small board that is full without three in a row is closed, too",
        ),
        "If both boards are closed, one plays on any open board": (
            6,
            "Whoever is sent to two closed boards may play on any open one",
        ),
        "Three small boards in a row on one big board win the game": (
            7,
            "Three small boards in a row, a column or a diagonal of one big board win the game",
        ),
        "If all small boards are closed and nobody has that, the game is a draw": (
            7,
            "If all 18 are closed and nobody has that, the game is a draw.",
        ),
    },
    "tinc": {
        "The grid begins as one cell, so the first turn is one symbol": (
            1,
            "The grid begins as a single cell, a1.",
        ),
        "If any symbol stands on the edge, the grid grows by a cell in each direction": (
            1,
            "if any symbol stands on the edge of the grid, it grows by one cell in each direction",
        ),
        "Cells are named in the grid as the mover sees it": (
            1,
            "its cell is called b2 now: names are counted from the top left corner",
        ),
        "In a turn one places one or two symbols, written c3 or c3+d4": (
            2,
            "you place one or two of your symbols in any empty cells",
        ),
        "If no symbol stands on the edge, the grid stays": (
            3,
            "If no symbol stands on the edge after a turn, the grid stays as it is.",
        ),
        "A full row, a full column or a full main diagonal of one's own wins": (
            4,
            "a full row, a full column or a full main diagonal",
        ),
        "The win comes before the growth": (4, "before the grid can grow"),
        "Short diagonals do not count": (
            5,
            "joins two neighbouring sides. It is no line",
        ),
        "Who puts a symbol on the edge every turn cannot lose": (
            6,
            "whoever puts at least one symbol on the edge in every turn cannot lose",
        ),
        "There is no largest grid and no draw by rule": (
            7,
            "There is no largest grid, and no draw by the rules",
        ),
    },
}
