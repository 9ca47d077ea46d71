"""Two people play: from the invitation to the last move, and what each sees on the way."""

from pathlib import Path

import pytest

from capsule.bots.service import BotService
from capsule.db.faults import DatabaseUnavailable
from capsule.gemini.types import Response
from engine import VARIANTS, Side
from engine.record import from_json, from_text
from tests.support.client import Client, link, links
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, play, record, start, start_between


@pytest.mark.parametrize("variant", VARIANTS)
def test_two_people_play_a_game_to_its_end_and_the_record_tells_it(
    client: Client, variant: str
) -> None:
    moves = WON_GAMES[variant].split()
    outcome = VARIANTS[variant].replay(moves).outcome
    assert outcome is not None
    url = start_between(client, variant)

    play(client, url, moves, ALICE, BOB)

    for who in (ALICE, BOB, CAROL, None):
        page = client.get(url, who)
        x, o = (VARIANTS[variant].side_name(side) for side in Side)
        assert page.startswith(f"# {VARIANTS[variant].name}: alice ({x}) – bob ({o})\n")
        winner, loser = (ALICE, BOB) if outcome.winner is Side.X else (BOB, ALICE)
        assert outcome.winner is not None
        name = "alice" if winner is ALICE else "bob"
        name += f" ({VARIANTS[variant].side_name(outcome.winner)})"
        result = {winner: "You won", loser: "You lost"}.get(who, f"{name} wins")
        assert f"{result}: {outcome.reason}." in page
        assert "/move" not in page
        assert "/resign" not in page
    values = record(client, url)
    assert values["players"] == {"X": "alice", "O": "bob"}
    assert values["moves"] == moves
    assert values["status"] == "finished"
    assert values["winner"] == str(outcome.winner)
    assert values["points"] == list(outcome.points)
    assert values["created"] == values["ended"] == "2026-11-20T14:02:00Z"
    as_json, as_text = (client.get(f"{url}/record.{form}") for form in ("json", "txt"))
    assert from_json(as_json) == from_text(as_text)


def test_the_opponent_sees_the_new_board_on_the_next_load(client: Client, game: str) -> None:
    assert "Move 1. alice (X) to play." in client.get(game, BOB)

    play(client, game, ["e5"], ALICE, BOB)

    page = client.get(game, BOB)
    assert "Move 2 is yours. alice (X) played e5 on 20 November 2026 at 14:02 UTC." in page
    assert "Your turn. Play in the centre board." in page
    assert " 5    . . .   ~[X]~   . . ." in page


def test_few_moves_are_links_and_many_are_typed(client: Client, game: str) -> None:
    assert "e5" not in links(client.get(game, ALICE)), "81 links would bury the board"
    play(client, game, ["e5"], ALICE, BOB)
    page = client.get(game, BOB)
    moves = [label.partition(":")[0] for label in links(page)]
    assert {"d4", "e4", "f4", "d5", "f5", "d6", "e6", "f6"} <= {*moves}

    answer = client.ask(link(page, "/move?d4"), BOB)

    assert (answer.status, answer.meta) == (30, game)
    assert "bob (O) played d4" in client.get(game, ALICE)


@pytest.mark.parametrize(
    ("variant", "moves", "label"),
    [
        ("ultimate", "f3 h7 e2", "e4: sends X to the top centre board, where X has two in a row"),
        ("extreme", "l9 g9 k9 d8 l6 r7 q3 m9 j9", "a7: sends O to the top left boards"),
    ],
)
def test_the_link_of_a_move_says_what_it_does_and_where_it_sends_the_opponent(
    client: Client, variant: str, moves: str, label: str
) -> None:
    url = start_between(client, variant)
    play(client, url, moves.split(), ALICE, BOB)
    pages = [client.get(url, who) for who in (ALICE, BOB)]
    page = next(page for page in pages if "Your turn." in page)
    assert links(page)[label].endswith(f"/move?{label[:2]}")
    assert label not in client.get(url), "a guest has no move to make"


def test_a_wrong_move_is_explained_and_asked_again(client: Client, game: str) -> None:
    play(client, game, ["e5"], ALICE, BOB)
    move = link(client.get(game, BOB), "/move")

    assert client.ask(move, BOB).meta == ("Play in the centre board. For example d4. Your move, O")
    assert client.type(move, "e5", BOB).meta == "e5 is taken. Your move, O"
    assert client.type(move, "what?", BOB).status == 10
    assert client.type(move, "a1", BOB).meta == (
        "a1 is in the top left board, but you were sent to the centre board. Your move, O"
    )
    assert client.type(move, " D4 ", BOB).status == 30
    assert record(client, game)["moves"] == ["e5", "d4"]


def test_a_game_goes_on_after_the_capsule_was_stopped(client: Client) -> None:
    moves = WON_GAMES["ultimate"].split()
    url = start_between(client, "ultimate")
    play(client, url, moves[:9], ALICE, BOB)
    before = client.get(url, BOB)
    next_move = link(before, "/move")

    client.restart()

    assert client.get(url, BOB) == before
    assert client.type(next_move, moves[9], BOB).status == 30, "old keys fit the new process"
    play(client, url, moves[10:], ALICE, BOB)
    assert "alice (X) wins" in client.get(url)


def test_x_may_move_before_anyone_has_come(client: Client) -> None:
    url = start(client, "quantum", "invite")
    play(client, url, ["a1+c3"], ALICE)
    page = client.get(url, ALICE)
    assert "Your turn." not in page
    assert f"gemini://localhost{url}" in page

    client.get(link(client.get(url, BOB), "/join"), BOB)

    assert "Your turn." in client.get(url, BOB)


def test_one_person_plays_both_sides_alone(client: Client) -> None:
    url = start(client, "numeric", "solo")
    play(client, url, WON_GAMES["numeric"].split(), ALICE)
    page = client.get(url)
    assert page.startswith("# Numeric: alice (Odd) – alice (Even)\n")
    assert "alice (Even) wins" in page


# Waiting for a bot


class LostBots(BotService):
    """Bots whose database goes away as soon as somebody waits for them."""

    def request_reply(self, game_id: str, turn_counter: int, owner: object) -> None:
        raise DatabaseUnavailable


def test_a_move_that_is_stored_is_accepted_though_the_database_goes_away(tmp_path: Path) -> None:
    client = Client(tmp_path, bots=lambda _: LostBots())
    url = start(client, "numeric", "bot-club")
    assert client.type(link(client.get(url, ALICE), "/move"), "b2=5", ALICE) == Response(30, url)
    assert record(client, url)["moves"] == ["b2=5"]
    client.database.close()
