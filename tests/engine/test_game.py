"""The words, errors and values that every variant is made of."""

import copy
import pickle

import pytest

from engine import (
    IllegalMove,
    InvalidMove,
    Message,
    MoveError,
    Outcome,
    Side,
    Translations,
    Variant,
)
from engine.game import LIST, drawn, message, plural, plural_in_context, won_by
from engine.testing import UpperCase
from engine.variants.ultimate import ULTIMATE


def test_the_other_side_of_x_is_o_and_of_o_is_x() -> None:
    assert Side.X.other is Side.O
    assert Side.O.other is Side.X
    assert [str(side) for side in Side] == ["X", "O"]


# Messages


class German(Translations):
    """Some words in a language with other rules than English: nothing is one, too."""

    def number(self, number: float) -> str:
        return super().number(number).translate(str.maketrans(",.", ".,"))

    def gettext(self, message: str) -> str:
        return {"{winner} beats {loser}": "{loser} unterliegt {winner}", "clear": "klar"}.get(
            message, message
        )

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        assert (msgid1, msgid2) == ("{count} day", "{count} days")
        return "{count} Tag" if n < 2 else "{count} Tage"

    def pgettext(self, context: str, message: str) -> str:
        return {
            ("a command", "clear"): "löschen",
            ("a list", LIST.text): "{first}; {next}",
            ("a game", "Ultimate"): "Ultimativ",
        }[context, message]

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        assert (context, msgid1, msgid2) == ("of a season", "{count} day", "{count} days")
        return "{count} Spieltag" if n < 2 else "{count} Spieltage"


def test_a_message_fills_its_braces() -> None:
    assert str(message("{side} plays {cell}", side=Side.X, cell="e5")) == "X plays e5"


def test_a_message_within_a_message_and_in_a_tuple_is_read_out() -> None:
    inner = message("the {place} board", place=message("top left"))
    assert str(message("Play in {boards}", boards=(inner, "e5"))) == (
        "Play in the top left board, e5"
    )


def test_braces_in_a_value_are_no_braces_of_the_template() -> None:
    assert str(message("{cell} is taken", cell="{cell} {} {0.real}")) == (
        "{cell} {} {0.real} is taken"
    )


def test_a_translation_may_put_the_values_in_another_order() -> None:
    said = message("{winner} beats {loser}", winner=Side.O, loser=Side.X)
    assert said.render(German()) == "X unterliegt O"
    assert str(said) == "O beats X"


def test_a_plural_agrees_with_its_count_by_the_rules_of_each_language() -> None:
    said = {count: plural("{count} day", "{count} days", count=count) for count in (0, 1, 2)}
    assert [str(each) for each in said.values()] == ["0 days", "1 day", "2 days"]
    german = [each.render(German()) for each in said.values()]
    assert german == ["0 Tag", "1 Tag", "2 Tage"]


def test_a_plural_within_a_message_and_in_a_tuple_is_translated() -> None:
    days = plural("{count} day", "{count} days", count=2)
    assert message("{all}", all=(days, message("{inner}", inner=days))).render(German()) == (
        "2 Tage; 2 Tage"
    )


def test_a_list_has_the_sign_of_its_language_between_its_parts() -> None:
    said = {count: message("{cells}", cells=("e5", "d4", "a1")[:count]) for count in range(4)}
    assert [str(each) for each in said.values()] == ["", "e5", "e5, d4", "e5, d4, a1"]
    german = [each.render(German()) for each in said.values()]
    assert german == ["", "e5", "e5; d4", "e5; d4; a1"]


def test_quantities_are_written_as_the_language_does_and_names_that_are_numbers_are_not() -> None:
    days = plural("{count} day", "{count} days", count=12_000)
    assert (str(days), days.render(German())) == ("12,000 days", "12.000 Tage")
    points = message("{points}", points=1.5)
    assert (str(points), points.render(German())) == ("1.5", "1,5")
    row = message("row {row}", row=1001)
    assert str(row) == row.render(German()) == "row 1001"
    # Translations that know no numbers leave them in English.
    assert days.render(UpperCase()) == "12,000 DAYS"


def test_the_name_of_a_game_is_a_text_that_a_message_translates() -> None:
    assert f"{ULTIMATE.name}, {ULTIMATE.title}" == "Ultimate, Ultimate Tic-Tac-Toe"
    assert message("{name}", name=ULTIMATE.name).render(German()) == "Ultimativ"
    other = Variant("matches", "Matches", "Take the Last Match", ULTIMATE.start)
    assert (other.name, str(message("{name}", name=other.title))) == (
        "Matches",
        "Take the Last Match",
    )
    for name in (ULTIMATE.name, ULTIMATE.title):
        again = pickle.loads(pickle.dumps(name))
        assert message("{name}", name=again).render(UpperCase()) == name.upper()


def test_a_template_is_filled_later_and_stays_as_it_was() -> None:
    template = plural("{count} day left for {side}", "{count} days left for {side}", side=Side.X)
    assert str(template.filled(count=2)) == "2 days left for X"
    assert str(template.filled(count=1, side=Side.O)) == "1 day left for O"
    assert dict(template.values) == {"side": Side.X}
    with_context = plural_in_context("of a season", "{count} day", "{count} days")
    assert with_context.filled(count=2).render(German()) == "2 Spieltage"


# Errors


@pytest.mark.parametrize("error", [InvalidMove, IllegalMove])
def test_an_error_is_a_value_error_with_words_that_can_be_translated(
    error: type[MoveError],
) -> None:
    raised = error("{cell} is taken", cell="e5")
    assert isinstance(raised, MoveError)
    assert isinstance(raised, ValueError)
    assert str(raised) == "e5 is taken"
    assert raised.message == Message("{cell} is taken", {"cell": "e5"})


def test_an_error_may_have_a_plural() -> None:
    cells = plural("{cells} is taken", "{cells} are taken")
    raised = IllegalMove(cells, cells=("e5", "e6"), count=2)
    assert str(raised) == "e5, e6 are taken"
    same = pickle.loads(pickle.dumps(raised))
    assert same.message == raised.message


@pytest.mark.parametrize("remade", [copy.copy, lambda raised: pickle.loads(pickle.dumps(raised))])
def test_an_error_keeps_its_words_between_processes(remade: object) -> None:
    raised = IllegalMove("{cell} is taken", cell="e5")
    assert callable(remade)
    same = remade(raised)
    assert type(same) is IllegalMove
    assert same.message == raised.message
    assert str(same) == "e5 is taken"


# Outcomes and variants


@pytest.mark.parametrize(("side", "points"), [(Side.X, (1, 0)), (Side.O, (0, 1))])
def test_a_win_is_one_point_to_none(side: Side, points: tuple[int, int]) -> None:
    assert won_by(side, message("a line")) == Outcome(side, message("a line"), points)


def test_a_draw_is_half_a_point_each() -> None:
    assert drawn(message("full")) == Outcome(None, message("full"), (0.5, 0.5))


def test_a_replay_of_no_moves_is_the_start() -> None:
    assert ULTIMATE.replay([]) is ULTIMATE.start


def test_a_replay_keeps_the_kind_of_error_and_what_caused_it() -> None:
    with pytest.raises(InvalidMove, match=r"^Move 2, D4: Write the move as d4$") as caught:
        ULTIMATE.replay(["e5", "D4"])
    assert type(caught.value.__cause__) is InvalidMove
    assert caught.value.message.values["reason"] == caught.value.__cause__.message
