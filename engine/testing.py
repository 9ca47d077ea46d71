"""The laws that hold in every variant, as tests for pytest: a variant inherits them.

    from engine.testing import VariantLaws
    from notakto import NOTAKTO

    class TestNotakto(VariantLaws):
        variant = NOTAKTO
        longest = 9
        endings = frozenset({(1, 0), (0, 1)})

Each law looks at the positions of a few random games, which are the same in every run. A law that
fails names the moves of the game.
"""

from __future__ import annotations

import copy
import pickle
import re
import string
from itertools import chain, islice
from random import Random
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeVar

from engine.game import IllegalMove, InvalidMove, Message, MoveError, Side
from engine.variants import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from engine.game import Position, Variant

T = TypeVar("T")

_LEFT_AFTER = 12
"""The moves after which a game that may never end is left."""


class Playout(NamedTuple):
    """A random game: its moves, and its positions from the start to where it was left."""

    moves: Sequence[str]
    positions: Sequence[Position]

    @property
    def last(self) -> Position:
        """The position where the game ended or was left."""
        return self.positions[-1]


def some_moves(position: Position) -> list[str]:
    """Return the legal moves; where they are countless, the first and a few far apart."""
    moves = iter(position.legal_moves())
    return list(chain(islice(moves, 170), islice(moves, 0, 20_000, 997)))


def is_legal(position: Position, move: str) -> bool:
    """Tell whether a move in canonical notation may be played."""
    try:
        position.play(move)
    except IllegalMove:
        return False
    return True


def refusal(attempt: Callable[[str], object], move: str) -> MoveError | None:
    """Return the error that an attempt at a move ends in, if any."""
    try:
        attempt(move)
    except MoveError as error:
        return error
    return None


def typed_text(random: Random) -> str:
    """Return something that people, or their cats, may type."""
    alphabet, longest = random.choice(
        [
            ("abcdijrABC0123456789", 6),
            ("abcABC123456789 +=,;-&@and\r\n{}", 10),
            ("abc9 ", 2000),
            (string.digits, 5000),
            (None, 12),
        ]
    )
    length = random.randint(0, longest)
    if alphabet is not None:
        return "".join(random.choices(alphabet, k=length))
    # Any characters but surrogates, which no request can hold.
    return "".join(
        chr(random.choice([*range(0x250), 0x2013, 0x1F600, 0xFF11])) for _ in range(length)
    )


class VariantLaws:
    """The laws of play, of words and of pictures; a subclass names its variant.

    Attributes:
        variant: the variant, which need not be registered.
        longest: the most moves that a game can take, None where one may never end.
        symmetries: how many images each move has, itself included.
        endings: X's and O's points in each way that random games end, None where they are left.
        loser_points: what the loser of a game may have.
        can_change_turn: whether `with_turn` knows every position with the other side to move.
        nonsense: texts that are no moves.
        seeds: the seeds of the random games.
    """

    variant: ClassVar[Variant]
    longest: ClassVar[int | None] = None
    symmetries: ClassVar[int] = 1
    endings: ClassVar[Collection[tuple[float, float] | None]] = ((1, 0), (0, 1), (0.5, 0.5))
    loser_points: ClassVar[Collection[float]] = (0,)
    can_change_turn: ClassVar[bool] = False
    nonsense: ClassVar[Sequence[str]] = ("", "z", "z99")
    seeds: ClassVar[Sequence[int]] = range(25)

    def random_move(self, position: Position, random: Random) -> str:
        """Return a move of a random game; override it where few such games would ever end."""
        return position.random_move(random)

    def few_moves(self, position: Position) -> Sequence[str]:
        """Return the legal moves, or, where they are countless, those that symmetries map."""
        return list(position.legal_moves())

    def notations(self, position: Position) -> Sequence[str]:
        """Return moves that can be written, whether they may be played in this position or not."""
        del position
        return list(dict.fromkeys(chain(*map(some_moves, self.games()[0].positions))))

    def games(self) -> Sequence[Playout]:
        """Return the random games that the laws look at."""
        laws = type(self)
        if laws not in _played:
            _played[laws] = [self.playout(Random(seed)) for seed in self.seeds]
        return _played[laws]

    def playout(self, random: Random) -> Playout:
        """Return a random game, to its end or, if it may never end, for a few moves."""
        moves: list[str] = []
        positions = [self.variant.start]
        is_endless = self.variant.may_never_end
        while positions[-1].outcome is None and not (is_endless and len(moves) == _LEFT_AFTER):
            moves.append(self.random_move(positions[-1], random))
            positions.append(positions[-1].play(moves[-1]))
        return Playout(moves, positions)

    # How games go and end

    def test_every_game_ends_except_where_it_may_go_on_for_ever(self) -> None:
        """A game ends within `longest` moves, or its variant says that it may never end."""
        for game in self.games():
            outcome = game.last.outcome
            if self.variant.may_never_end:
                assert outcome is None or outcome.winner is not None, game.moves
                assert self.longest is None
            else:
                assert outcome is not None, game.moves
                assert self.longest is not None, "say how many moves the longest game takes"
                assert len(game.moves) <= self.longest, game.moves

    def test_there_are_moves_exactly_while_the_game_goes_on(self) -> None:
        """A position has moves exactly if it has no outcome."""
        for game in self.games():
            for position in game.positions:
                assert bool(some_moves(position)) == (position.outcome is None), game.moves

    def test_it_is_always_somebodys_turn(self) -> None:
        """X moves first, and every position has a side to move."""
        for game in self.games():
            assert game.positions[0].turn is Side.X
            assert all(position.turn in tuple(Side) for position in game.positions), game.moves

    def test_the_points_fit_the_winner(self) -> None:
        """A winner has one point, and a draw is worth what the variant says."""
        for game in self.games():
            outcome = game.last.outcome
            if outcome is None:
                continue
            points = dict(zip(Side, outcome.points, strict=True))
            if outcome.winner is None:
                assert outcome.points == self.variant.draw_points, game.moves
            else:
                assert points[outcome.winner] == 1, game.moves
                assert points[outcome.winner.other] in self.loser_points, game.moves

    def test_random_games_end_in_each_way_that_the_rules_know(self) -> None:
        """Many random games end in all of `endings`, and in no other way."""
        outcomes = [self.playout(Random(seed)).last.outcome for seed in range(200)]
        ways = {outcome and outcome.points for outcome in outcomes}
        assert ways == set(self.endings), f"{ways} instead of {set(self.endings)}"

    # Moves

    def test_every_legal_move_reads_as_itself_and_can_be_played(self) -> None:
        """A legal move is its own canonical notation, comes once, and changes the position."""
        for game in self.games():
            for position in game.positions:
                moves = some_moves(position)
                assert len(set(moves)) == len(moves), game.moves
                for move in moves:
                    assert position.parse(move) == move, (game.moves, move)
                    assert position.play(move) != position, (game.moves, move)

    def test_a_move_that_is_not_legal_is_refused_and_changes_nothing(self) -> None:
        """What can be written but not played is an `IllegalMove`, in the same words both ways."""
        for game, random in self._games_with_luck():
            position = random.choice(game.positions)
            before = _looks(position)
            legal = set(self.few_moves(position))
            for move in self.notations(position):
                parts = set(move.split("+")) if position.has_countless_moves else {move}
                played, parsed = refusal(position.play, move), refusal(position.parse, move)
                if parts <= legal:
                    assert played is parsed is None, (game.moves, move)
                else:
                    assert type(played) is type(parsed) is IllegalMove, (game.moves, move)
                    assert str(played) == str(parsed), (game.moves, move)
            assert _looks(position) == before, game.moves

    def test_when_the_game_is_over_every_move_is_refused(self) -> None:
        """No move can be played any more once a game has an outcome."""
        for game in self.games():
            if game.last.outcome is not None:
                for move in self.notations(game.last):
                    assert type(refusal(game.last.play, move)) is IllegalMove, (game.moves, move)

    def test_random_and_promising_moves_are_legal_and_miss_no_win(self) -> None:
        """A search is given legal moves, once each, and all of them unless they are countless."""
        for game in self.games():
            for position in game.positions:
                if position.outcome is not None:
                    continue
                promising = position.promising_moves(20, Random(1))
                assert len(set(promising)) == len(promising), game.moves
                assert all(is_legal(position, move) for move in promising), game.moves
                assert is_legal(position, position.random_move(Random(1))), game.moves
                if position.has_countless_moves:
                    assert len(promising) <= 20, game.moves
                else:
                    assert list(promising) == list(position.legal_moves()), game.moves

    # Replaying

    def test_a_replay_comes_to_the_same_position(self) -> None:
        """The moves of a game lead to its positions again."""
        for game in self.games():
            for ply, position in enumerate(game.positions):
                again = self.variant.replay(game.moves[:ply])
                assert again == position, game.moves[:ply]
                assert _looks(again) == _looks(position), game.moves[:ply]

    def test_all_positions_of_a_game_are_different(self) -> None:
        """No position comes twice in a game."""
        for game in self.games():
            assert len(set(game.positions)) == len(game.positions), game.moves

    def test_a_replay_says_which_move_is_wrong_and_why(self) -> None:
        """A replay raises the error of the first wrong move, with its number and notation."""
        for game, random in self._games_with_luck():
            ply = random.randrange(len(game.positions))
            position = game.positions[ply]
            wrong = [move for move in self.notations(position) if not is_legal(position, move)]
            if not wrong:
                continue
            bad = random.choice(wrong)
            reason = refusal(position.play, bad)
            moves = [*game.moves[:ply], bad, *game.moves[ply:]]
            caught = refusal(lambda text: self.variant.replay(text.split()), " ".join(moves))
            assert type(caught) is IllegalMove, moves
            assert str(caught) == f"Move {ply + 1}, {bad}: {reason}"

    # Positions are values

    def test_playing_leaves_a_position_as_it_was(self) -> None:
        """Playing a move returns another position and changes nothing."""
        for game in self.games():
            for position in game.positions:
                before = _looks(position)
                for move in some_moves(position):
                    position.play(move)
                assert _looks(position) == before, game.moves

    def test_no_attribute_of_a_position_can_be_set_or_added(self) -> None:
        """A position is immutable."""
        for game in self.games()[:10]:
            position = game.last
            before = _looks(position)
            for name in [*(name for name in dir(position) if not name.startswith("_")), "note"]:
                assert _is_refused(setattr, position, name, None), f"{name} could be set"
                assert _is_refused(delattr, position, name), f"{name} could be deleted"
            assert _looks(position) == before, game.moves

    def test_a_position_survives_pickling_and_copying(self) -> None:
        """A position that went to another process is the same."""
        for game, random in self._games_with_luck():
            for position in (random.choice(game.positions), game.last):
                for same in _copies(position):
                    assert same == position, game.moves
                    assert _looks(same) == _looks(position), game.moves

    def test_a_position_is_no_tuple_and_equals_none_of_another_variant(self) -> None:
        """A position has no order and no length, and belongs to one variant."""
        start = self.variant.start
        position = start.play(next(iter(start.legal_moves())))
        assert not isinstance(position, tuple)
        assert not hasattr(position, "__iter__")
        assert all(position != other.start for other in VARIANTS.values())

    # Symmetry, and the other side's turn

    def test_a_mirrored_game_is_the_same_game(self) -> None:
        """Each symmetry makes of a game another that goes and ends as it does."""
        for game in self.games()[:10]:
            mirrors = [self.variant.start] * self.symmetries
            for position, move in zip(game.positions, [*game.moves, None], strict=True):
                moves = self.few_moves(position)
                images = (
                    zip(*map(position.images, moves), strict=True) if moves else [()] * len(mirrors)
                )
                for mirror, mirrored_moves in zip(mirrors, images, strict=True):
                    assert set(mirrored_moves) == set(self.few_moves(mirror)), game.moves
                    assert mirror.turn is position.turn, game.moves
                    assert (mirror.outcome is None) == (position.outcome is None), game.moves
                if move is not None:
                    played = zip(mirrors, position.images(move), strict=True)
                    mirrors = [mirror.play(image) for mirror, image in played]
            for mirror in mirrors:
                ends = [
                    end and (end.winner, end.points) for end in (mirror.outcome, game.last.outcome)
                ]
                assert ends[0] == ends[1], game.moves

    def test_symmetries_are_all_different_and_none_is_missed(self) -> None:
        """The images of all moves differ from symmetry to symmetry; the first changes nothing."""
        positions = self.games()[0].positions
        # One cell lies the same way whichever way it is turned.
        position = next(each for each in positions if len(self.few_moves(each)) > 1)
        moves = self.few_moves(position)
        ways = list(zip(*map(position.images, moves), strict=True))
        assert len(ways) == len(set(ways)) == self.symmetries
        assert ways[0] == tuple(moves)

    def test_a_position_has_the_other_side_to_move_always_or_never(self) -> None:
        """A position with the other side to move is one of the game, where there is one at all."""
        for game, random in self._games_with_luck():
            position = random.choice(game.positions)
            assert position.with_turn(position.turn) == position, game.moves
            other = position.with_turn(position.turn.other)
            assert (other is not None) == self.can_change_turn, game.moves
            if other is not None:
                assert other.turn is position.turn.other, game.moves
                assert position.outcome is None or other.outcome is not None, game.moves
                assert other.outcome is not None or some_moves(other), game.moves

    # Pictures

    def test_diagrams_are_plain_text_that_fits_a_narrow_terminal(self) -> None:
        """A board is printable ASCII, 64 columns wide at most, without trailing spaces."""
        for game in self.games():
            for position in game.positions:
                for drawing in (position.diagram(), position.close_up()):
                    assert drawing.isascii(), game.moves
                    assert not drawing.endswith("\n"), game.moves
                    for row in drawing.split("\n"):
                        assert len(row) <= 64, (game.moves, row)
                        assert row == row.rstrip(), (game.moves, row)
                        assert row.isprintable(), (game.moves, row)
                        assert not row.startswith("```"), (game.moves, row)

    def test_printing_a_position_shows_its_board(self) -> None:
        """`str` of a position is its diagram."""
        for game in self.games():
            assert str(game.last) == game.last.diagram(), game.moves

    def test_a_line_is_marked_where_the_view_says_so(self) -> None:
        """Marks outside the board change the drawing of a game that is over, and of no other."""
        for game in self.games():
            for position in game.positions:
                view = position.view()
                if view.marks_line:
                    assert position.outcome is not None, game.moves
                    drawn = {position.diagram(), None}
                    assert not drawn >= {view.drawing, view.overview}, game.moves

    def test_every_move_can_be_seen_and_heard(self) -> None:
        """No two positions of a game look or sound the same."""
        for game in self.games():
            positions = game.positions
            drawings = {position.diagram() for position in positions}
            words = {tuple(map(str, position.describe())) for position in positions}
            assert len(drawings) == len(words) == len(positions), game.moves

    # Words

    def test_a_description_is_made_of_whole_sentences(self) -> None:
        """A position is described in sentences, of which the last is the instruction."""
        for game in self.games():
            for position in game.positions:
                words = [str(sentence) for sentence in position.describe()]
                assert words[-1] == str(position.instruction()), game.moves
                for sentence in words:
                    assert re.fullmatch(r"[A-Za-z].*[^.\s]\.", sentence), sentence
                    assert sentence.isprintable(), sentence
                    assert not {"{", "}"} & set(sentence), sentence
                    assert "  " not in sentence, sentence

    def test_the_end_is_explained(self) -> None:
        """The instruction of a game that is over says why it ended."""
        for game in self.games():
            if game.last.outcome is not None:
                reason = str(game.last.outcome.reason)
                assert reason, game.moves
                assert not {"{", "}"} & set(reason), reason
                assert reason in str(game.last.instruction()), game.moves

    def test_a_refusal_is_one_short_line_without_a_period(self) -> None:
        """A refusal fits a line of a prompt."""
        for game, random in self._games_with_luck():
            for error in self._refusals(random.choice(game.positions), random):
                said = str(error)
                assert re.fullmatch(r"[A-Za-z0-9].*[^.\s]", said), said
                assert said == str(error.message)
                assert len(said) <= 200, said
                assert said.isprintable(), said
                assert not {"{", "}"} & set(said), said

    def test_all_that_is_said_can_be_translated_word_by_word(self) -> None:
        """Each template of a message is given to the translator, and nothing else is."""
        for said in self._messages():
            asked: list[str] = []

            def translate(template: str, asked: list[str] = asked) -> str:
                asked.append(template)
                return uppercase(template)

            assert said.render(translate).lower() == str(said).lower()
            assert sorted(asked) == sorted(_templates(said)), str(said)

    def test_every_word_stands_in_a_template(self) -> None:
        """No value of a message is a word, which a translator would never see."""
        for said in self._messages():
            for value in _plain_values(said):
                assert not re.search(r"[A-Za-z]{3}", value), (str(said), value)

    def test_messages_and_errors_survive_pickling_and_copying(self) -> None:
        """What is said can be told to another process."""
        for game, random in self._games_with_luck():
            for said in _sentences(game.last):
                for same in _copies(said):
                    assert (same, hash(same), str(same)) == (said, hash(said), str(said))
            for error in self._refusals(game.last, random):
                for again in _copies(error):
                    assert type(again) is type(error)
                    assert again.message == error.message
                    assert str(again) == str(error)

    # Reading what people type

    def test_whatever_is_typed_is_a_legal_move_or_refused_with_a_reason(self) -> None:
        """Any text is read as a legal move, or refused with an error of the engine's."""
        for game, random in self._games_with_luck():
            for text in [typed_text(random) for _ in range(4)]:
                position = random.choice(game.positions)
                for read in (position.parse, position.play):
                    refused = refusal(read, text)
                    if refused is None:
                        move = position.parse(text)
                        assert position.parse(move) == move, text
                        assert position.play(move) != position, text
                    else:
                        assert type(refused) in {InvalidMove, IllegalMove}, text
                        assert len(str(refused)) <= 200, text
                        assert str(refused).isprintable(), text

    def test_a_replay_repeats_a_move_that_it_cannot_play_as_it_was_written(self) -> None:
        """A replay's error has the move as it was given, even where it looks like a template."""
        random = Random(0)
        for text in ["{cell}", "e5{", *(typed_text(random) for _ in range(25))]:
            if refusal(self.variant.start.play, text) is not None:
                caught = refusal(lambda text: self.variant.replay([text]), text)
                assert str(caught).startswith(f"Move 1, {text}: "), text

    def _games_with_luck(self) -> Iterator[tuple[Playout, Random]]:
        return ((game, Random(seed)) for seed, game in zip(self.seeds, self.games(), strict=True))

    def _refusals(self, position: Position, random: Random) -> Iterator[MoveError]:
        """Yield the errors of some moves that cannot be played here."""
        wrong = [move for move in self.notations(position) if not is_legal(position, move)]
        for text in [*self.nonsense, *random.sample(wrong, min(len(wrong), 9))]:
            error = refusal(position.parse, text)
            assert error is not None, f"{text!r} was read as a move"
            yield error

    def _messages(self) -> Iterator[Message]:
        for game, random in self._games_with_luck():
            position = random.choice(game.positions)
            yield from _sentences(position)
            yield from _sentences(game.last)
            yield from (error.message for error in self._refusals(position, random))


_played: dict[type[VariantLaws], Sequence[Playout]] = {}
"""The random games of each subclass, played once."""


def _is_refused(change: Callable[..., object], *arguments: object) -> bool:
    try:
        change(*arguments)
    # Python 3.11 has a frozen dataclass with slots say TypeError for what is no field of it.
    except (AttributeError, TypeError):
        return True
    return False


def _copies(value: T) -> tuple[T, T]:
    return pickle.loads(pickle.dumps(value)), copy.deepcopy(value)


def _looks(position: Position) -> tuple[object, ...]:
    """Return all that a position shows of itself."""
    return (
        hash(position),
        position.turn,
        position.outcome,
        some_moves(position),
        position.diagram(),
        position.close_up(),
        [str(sentence) for sentence in position.describe()],
    )


def _sentences(position: Position) -> tuple[Message, ...]:
    """Return all that a position says of itself."""
    reason = () if position.outcome is None else (position.outcome.reason,)
    return (*position.describe(), position.instruction(), *reason)


def uppercase(template: str) -> str:
    """Translate a template into loud English; what stands in braces is no word to translate."""
    return re.sub(
        r"\{\w+\}|[^{}]+", lambda part: part[0] if part[0][0] == "{" else part[0].upper(), template
    )


def _templates(said: Message) -> Iterator[str]:
    """Yield the template of a message and those of the messages within it."""
    yield said.text
    for value in _values(said):
        if isinstance(value, Message):
            yield from _templates(value)


def _plain_values(said: Message) -> Iterator[str]:
    """Yield what a translator never sees: the values that are no messages."""
    for value in _values(said):
        if isinstance(value, Message):
            yield from _plain_values(value)
        else:
            yield str(value)


def _values(said: Message) -> Iterator[object]:
    """Yield the values of a message, those in tuples one by one."""
    waiting = list(said.values.values())
    for value in waiting:
        if isinstance(value, tuple):
            waiting += value
        else:
            yield value
