"""Laws of pictures, of words, and of reading what people type."""

import re
import string
from collections.abc import Iterator
from gettext import NullTranslations
from random import Random

from engine.game import IllegalMove, InvalidMove, MoveError, Position
from engine.messages import LIST, Message
from engine.testing.games import RandomGames, copies, is_legal, refusal


class WordLaws(RandomGames):
    """The laws of pictures and words."""

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
        for game, random in self.games_with_luck():
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
            translations = UpperCase()
            assert said.render(translations).lower() == str(said).lower()
            assert sorted(translations.asked) == sorted(_templates(said)), str(said)

    def test_every_word_stands_in_a_template(self) -> None:
        """No value of a message is a word, which a translator would never see."""
        for said in self._messages():
            for value in _plain_values(said):
                assert not re.search(r"[A-Za-z]{3}", value), (str(said), value)

    def test_messages_and_errors_survive_pickling_and_copying(self) -> None:
        """Messages and errors can be passed to another process."""
        for game, random in self.games_with_luck():
            for said in _sentences(game.last):
                for same in copies(said):
                    assert (same, hash(same), str(same)) == (said, hash(said), str(said))
            for error in self._refusals(game.last, random):
                for again in copies(error):
                    assert type(again) is type(error)
                    assert again.message == error.message
                    assert str(again) == str(error)

    # Reading what people type

    def test_whatever_is_typed_is_a_legal_move_or_refused_with_a_reason(self) -> None:
        """Any text is read as a legal move, or refused with an error of the engine's."""
        for game, random in self.games_with_luck():
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
        """A replay's error has the move as it was given, even if it looks like a template."""
        random = Random(0)
        for text in ["{cell}", "e5{", *(typed_text(random) for _ in range(25))]:
            if refusal(self.variant.start.play, text) is not None:
                caught = refusal(lambda text: self.variant.replay([text]), text)
                assert str(caught).startswith(f"Move 1, {text}: "), text

    def _refusals(self, position: Position, random: Random) -> Iterator[MoveError]:
        """Yield the errors of some moves that cannot be played here."""
        wrong = [move for move in self.notations(position) if not is_legal(position, move)]
        for text in [*self.nonsense, *random.sample(wrong, min(len(wrong), 9))]:
            error = refusal(position.parse, text)
            assert error is not None, f"{text!r} was read as a move"
            yield error

    def _messages(self) -> Iterator[Message]:
        for game, random in self.games_with_luck():
            position = random.choice(game.positions)
            yield from _sentences(position)
            yield from _sentences(game.last)
            yield from (error.message for error in self._refusals(position, random))


def typed_text(random: Random) -> str:
    """Return a text that people, or their cats, may type."""
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


def _sentences(position: Position) -> tuple[Message, ...]:
    """Return all sentences about a position."""
    reason = () if position.outcome is None else (position.outcome.reason,)
    return (*position.describe(), position.instruction(), *reason)


class UpperCase(NullTranslations):
    """Translations into upper-case English; `asked` has the templates that were translated."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def gettext(self, message: str) -> str:
        """Return a template in upper case."""
        self.asked.append(message)
        return _uppercase(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the form of a plural that fits a number, in upper case."""
        self.asked += [msgid1, msgid2]
        return _uppercase(super().ngettext(msgid1, msgid2, n))

    def pgettext(self, context: str, message: str) -> str:
        """Return a template that has a context, in upper case."""
        del context
        return self.gettext(message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        """Return the form of a plural that has a context, in upper case."""
        del context
        return self.ngettext(msgid1, msgid2, n)


def _uppercase(template: str) -> str:
    """Return a template in upper case, but for the names in its braces."""
    return re.sub(
        r"\{\w+\}|[^{}]+", lambda part: part[0] if part[0][0] == "{" else part[0].upper(), template
    )


def _templates(said: Message) -> Iterator[str]:
    """Yield the template of a message, that of its plural, and those of what is within it.

    Each list in it has a sign that joins its parts.
    """
    yield from filter(None, (said.text, said.several))
    yield from (LIST.text for value in said.values.values() if _is_list(value))
    for value in _values(said):
        if isinstance(value, Message):
            yield from _templates(value)


def _is_list(value: object) -> bool:
    return isinstance(value, tuple) and len(value) > 1


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
