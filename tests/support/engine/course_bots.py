"""Good and bad bots in the convention of the course, for the tests of what plays them."""

import os
import random
import sys
import time
from copy import deepcopy

from engine.bots.hosting.course import Cell, CourseBoard


class RandomCell:
    """Plays any valid cell, the same one on the same board, and prints as such bots do."""

    def move(self, board: CourseBoard, old_move: Cell, flag: str) -> Cell:
        print("I am", flag, "after", old_move)
        rng = random.Random(repr(board.big_boards_status))
        return rng.choice(board.find_valid_move_cells(old_move))


class LooksAhead:
    """Wins what it can win at once, on a copy of the board."""

    def move(self, board: CourseBoard, old_move: Cell, flag: str) -> Cell:
        cells = board.find_valid_move_cells(old_move)
        for cell in cells:
            copy = deepcopy(board)
            status, won = copy.update(old_move, cell, flag)
            assert status == "SUCCESSFUL"
            if won or copy.find_terminal_state() == (flag, "WON"):
                return cell
        return cells[0]


class Crashes(RandomCell):
    """Loses its way after a few moves."""

    def __init__(self) -> None:
        self.moves = 0

    def move(self, board: CourseBoard, old_move: Cell, flag: str) -> Cell:
        self.moves += 1
        if self.moves == 3:
            raise KeyError("no such\nblock")
        return super().move(board, old_move, flag)


class Quits:
    def move(self, board: CourseBoard, old_move: Cell, flag: str) -> Cell:
        sys.exit("enough")


class Dies:
    def move(self, board: CourseBoard, old_move: Cell, flag: str) -> Cell:
        os._exit(3)


class PlaysOnTaken:
    """Always plays the same cell."""

    def move(self, board: CourseBoard, old_move: Cell, flag: str) -> Cell:
        return 0, 4, 4


class AnswersWithAList:
    def move(self, board: CourseBoard, old_move: Cell, flag: str) -> list[int]:
        return [*board.find_valid_move_cells(old_move)[0]]


class AnswersNothing:
    def move(self, board: CourseBoard, old_move: Cell, flag: str) -> None:
        return None


class ChangesTheBoard(RandomCell):
    def move(self, board: CourseBoard, old_move: Cell, flag: str) -> Cell:
        cell = super().move(board, old_move, flag)
        board.update(old_move, cell, flag)
        return cell


class Dawdles(RandomCell):
    """Takes its time."""

    def move(self, board: CourseBoard, old_move: Cell, flag: str) -> Cell:
        time.sleep(600)
        return super().move(board, old_move, flag)


class NeedsAnArgument(RandomCell):
    def __init__(self, flag: str) -> None:
        self.flag = flag
