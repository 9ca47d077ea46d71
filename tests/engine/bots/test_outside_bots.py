"""Bots from outside: the convention of the course, loading, and what loses a game."""

import time
from copy import deepcopy
from random import Random

import pytest

from engine.bots.hosting.course import (
    FIRST,
    CourseBoard,
    CourseBot,
    CourseGame,
    Forfeit,
    cell_of,
    move_of,
)
from engine.bots.hosting.outside import HostedBot, NoSuchBot
from engine.game import Side
from engine.variants.extreme import EXTREME, ExtremePosition
from tests.support.engine import course_bots
from tests.support.waiting import PATIENCE

COURSE = "tests.support.engine.course_bots"
PLAIN = "tests.support.engine.plain_bots"


def random_game(random: Random) -> list[tuple[ExtremePosition, str]]:
    position, played = ExtremePosition.of(EXTREME.start), []
    while position.outcome is None:
        move = random.choice(list(position.legal_moves()))
        played.append((position, move))
        position = position.play(move)
    return [*played, (position, "")]


def flag(side: Side) -> str:
    return "x" if side is Side.X else "o"


def statuses(position: ExtremePosition) -> list[str]:
    return [
        "x"
        if position.x_boards >> board & 1
        else "o"
        if position.o_boards >> board & 1
        else "d"
        if position.closed >> board & 1
        else "-"
        for board in range(18)
    ]


@pytest.mark.parametrize("seed", range(30))
def test_the_course_s_board_follows_the_same_rules_as_the_game(seed: int) -> None:
    board, latest = CourseBoard(), FIRST
    for position, move in random_game(Random(seed)):
        if position.outcome is not None:
            break
        assert board.find_terminal_state() == ("CONTINUE", "-")
        cells = board.find_valid_move_cells(latest)
        assert sorted(map(move_of, cells)) == sorted(position.legal_moves())
        after = position.play(move)
        won = after.x_boards | after.o_boards != position.x_boards | position.o_boards
        assert board.update(latest, cell_of(move), flag(position.turn)) == ("SUCCESSFUL", won)
        small = [status for k in range(2) for row in board.small_boards_status[k] for status in row]
        assert small == statuses(after)
        latest = cell_of(move)
    winner = position.outcome.winner if position.outcome else None
    ended = (flag(winner), "WON") if winner else ("NONE", "DRAW")
    assert board.find_terminal_state() == ended


@pytest.mark.parametrize(
    "cell", [(0, 0, 0), (2, 0, 0), (0, 9, 0), (0, 0, -1), (0, 0), [0, 1, 0], None, (0, 1.0, 0)]
)
def test_an_update_that_is_not_valid_changes_nothing(cell: object) -> None:
    board = CourseBoard()
    board.update(FIRST, (0, 0, 0), "x")
    before = deepcopy(vars(board))
    assert board.update((0, 0, 0), cell, "o") == ("UNSUCCESSFUL", False)  # type: ignore[arg-type]  # what bots may answer
    assert vars(board) == before


class Recorder:
    """Notes what it is asked, and answers with what the game went on with."""

    def __init__(self, game: list[str]) -> None:
        self.game = game
        self.asked: list[tuple[tuple[int, int, int], str]] = []
        self.boards: set[int] = set()

    def move(self, board: CourseBoard, old_move: tuple[int, int, int], flag: str) -> object:
        self.asked.append((old_move, flag))
        self.boards.add(id(board))
        marks = sum(mark != "-" for big in board.big_boards_status for row in big for mark in row)
        return cell_of(self.game[marks])


def test_a_bot_is_asked_for_its_bonus_move_as_for_any_other() -> None:
    games = (random_game(Random(seed)) for seed in range(100))
    game = next(
        game for game in games if any(each.bonus and each.turn is Side.O for each, _ in game)
    )
    moves = [move for _, move in game]
    turns = [position.turn for position, _ in game]
    recorder = Recorder(moves)
    bot = CourseGame(recorder)  # type: ignore[arg-type]  # a bot that has been told what to play
    mine = [number for number, (each, _) in enumerate(game[:-1]) if each.turn is Side.O]
    for number in mine:
        choice = bot.choose(moves[:number], 1.0, Random(1))
        assert choice.move == moves[number]
    assert recorder.asked == [(cell_of(moves[number - 1]), "o") for number in mine]
    bonus = next(number for number in mine if game[number][0].bonus)
    assert turns[bonus - 1] is Side.O, "the latest move was its own"
    assert len(recorder.boards) == 1, "a game has one board"


def test_the_first_move_comes_after_none() -> None:
    recorder = Recorder(["e5"])
    CourseGame(recorder).choose([], 1.0, Random(1))  # type: ignore[arg-type]  # as above
    assert recorder.asked == [((-1, -1, -1), "x")]


@pytest.mark.parametrize(
    ("bot", "deed"),
    [
        (course_bots.PlaysOnTaken(), r"made an illegal move: \(0, 4, 4\) after \(0, 4, 4\)"),
        (course_bots.AnswersWithAList(), r"made an illegal move: \[0, 3, 3\] after"),
        (course_bots.AnswersNothing(), "made an illegal move: None after"),
        (course_bots.ChangesTheBoard(), "changed the board"),
    ],
)
def test_what_the_convention_forbids_loses_the_game(bot: CourseBot, deed: str) -> None:
    with pytest.raises(Forfeit, match=deed):
        CourseGame(bot).choose(["e5"], 1.0, Random(1))


def play_on(name: str, variant: str, limit: float = 24.0) -> str:
    """Have a bot play against itself until it forfeits, and return by what."""
    with HostedBot(variant, name, limit) as bot:
        bot.new_game("1")
        moves: list[str] = []
        try:
            while True:
                moves.append(bot.choose(moves, 0.01).choice.move)
        except Forfeit as forfeit:
            return str(forfeit)


@pytest.mark.parametrize(
    ("name", "variant", "deed"),
    [
        (f"{COURSE}:Crashes", "extreme", "crashed: KeyError: 'no such\\nblock'"),
        (f"{COURSE}:Quits", "extreme", "crashed: SystemExit: enough"),
        (f"{COURSE}:Dies", "extreme", "died, with exit status 3"),
        (f"{COURSE}:ChangesTheBoard", "extreme", "changed the board"),
        (f"{PLAIN}:Stubborn", "ultimate", "made an illegal move: e5 is taken"),
        (f"{PLAIN}:Wordless", "ultimate", "returned no Choice: 'e5'"),
    ],
)
def test_whatever_a_bot_does_costs_no_more_than_its_game(
    name: str, variant: str, deed: str
) -> None:
    assert play_on(name, variant) == deed


@pytest.mark.parametrize(
    ("name", "variant", "deed"),
    [
        (f"{COURSE}:Dawdles", "extreme", "took more than 0.5 seconds"),
        # It was given 0.01 seconds to think.
        (f"{PLAIN}:Sleepy", "tinc", "took more than 0.51 seconds"),
    ],
)
def test_a_bot_that_takes_too_long_is_stopped(name: str, variant: str, deed: str) -> None:
    begin = time.monotonic()
    assert play_on(name, variant, limit=0.5) == deed
    assert time.monotonic() - begin < PATIENCE


def test_a_bot_that_was_stopped_plays_the_next_game() -> None:
    with HostedBot("extreme", f"{COURSE}:Dies") as bot:
        for game in "12":
            bot.new_game(game)
            with pytest.raises(Forfeit, match="died"):
                bot.choose([], 0.01)


def test_a_level_takes_its_own_time_and_the_same_luck_makes_the_same_moves() -> None:
    with HostedBot("numeric", "casual") as bot:
        assert bot.seconds == 0.5
        games = []
        for _ in range(2):
            bot.new_game("7")
            moves: list[str] = []
            for _ in range(3):
                moves.append(bot.choose(moves, 0.1).choice.move)
            games.append(moves)
        assert games[0] == games[1]


@pytest.mark.parametrize(
    ("name", "variant", "reason"),
    [
        (
            "grandmaster",
            "ultimate",
            "There is no level grandmaster: name one of novice, novice-plus,",
        ),
        ("nowhere:Bot", "ultimate", "nowhere:Bot cannot be loaded: ModuleNotFoundError: No module"),
        (f"{COURSE}:Nobody", "extreme", "has no class 'Nobody'"),
        (f"{COURSE}:NeedsAnArgument", "extreme", "cannot be made: TypeError: "),
        (f"{COURSE}:RandomCell", "ultimate", "plays extreme alone"),
        ("json:JSONDecoder", "ultimate", "json:JSONDecoder is no bot: it has neither choose nor"),
    ],
)
def test_a_bot_that_cannot_be_had_is_told_in_a_line(name: str, variant: str, reason: str) -> None:
    with pytest.raises(NoSuchBot) as refusal:
        HostedBot(variant, name)
    assert reason in str(refusal.value)
    assert "\n" not in str(refusal.value)
