"""Playing against a bot: it answers, it never holds up anyone, and nothing is lost."""

import os
import signal
import time
from contextlib import suppress
from threading import Thread

import pytest

from capsule.bots import pool, turns as bot_turns
from capsule.errors import OutdatedAction
from capsule.gemini.types import Response
from capsule.measurements import Measurements
from capsule.ratings.first_ratings import measured
from capsule.ratings.model import Holder
from engine import VARIANTS, Side
from engine.bots.hosting.process import JsonLinesProcess, NoAnswer
from engine.bots.levels import level_label
from engine.bots.registry import levels_of
from tests.support import everyone
from tests.support.client import Client, link, links
from tests.support.stories import ALICE, BOB, WON_GAMES, play, record, start, start_between, undone
from tests.support.thinking import Minds
from tests.support.tournaments import resign
from tests.support.waiting import PATIENCE, wait_until


def wait_for(client: Client, url: str, plies: int) -> None:
    """Wait until this many moves have been made in a game."""
    wait_until(lambda: len(record(client, url)["moves"]) >= plies)


def test_the_bot_answers_a_move_in_each_of_the_games(thinking: Client) -> None:
    for variant in VARIANTS:
        url = start(thinking, variant, "bot-casual")
        page = thinking.get(url)
        assert page.startswith(f"# {VARIANTS[variant].name}: alice (")

        play(thinking, url, [VARIANTS[variant].start.example()], ALICE)

        wait_for(thinking, url, 2)
        assert "Your turn." in thinking.get(url, ALICE)


def test_a_whole_game_is_played_against_a_bot(thinking: Client) -> None:
    url = start(thinking, "numeric", "bot-novice")
    for _ in range(5):
        page = thinking.get(url, ALICE)
        if "Your turn." not in page:
            break
        position = VARIANTS["numeric"].replay(record(thinking, url)["moves"])
        move = next(iter(position.legal_moves()))
        thinking.type(link(page, "/move"), move, ALICE)
        plies = len(record(thinking, url)["moves"])
        if position.play(move).outcome is None:
            wait_for(thinking, url, max(plies, len(position_moves(thinking, url)) + 1))
    assert record(thinking, url)["status"] == "finished"


@pytest.mark.slow
def test_the_bot_answers_everyone_at_once(thinking: Client) -> None:
    everyone.let_vote(thinking, ALICE)
    first = everyone.advance(thinking)
    everyone.vote(thinking, ALICE, "a1")
    everyone.midnight(thinking, 2)
    wait_for(thinking, f"/play/{first.stored.id}", 2)
    assert "Nobody has voted yet." in thinking.get(everyone.HERE)


def position_moves(client: Client, url: str) -> list[str]:
    """Return the moves up to the player's last."""
    moves = record(client, url)["moves"]
    return moves if len(moves) % 2 else moves[:-1]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_page_says_honestly_how_each_level_plays(client: Client, variant: str) -> None:
    labels = [*links(client.get(f"/play/new/{variant}/bots", ALICE))]
    for (name, each), label in zip(levels_of(variant).items(), labels, strict=False):
        first = measured()[Holder(variant, None, name)].number
        bot = f"{level_label(name).capitalize()} bot"
        assert label == f"{bot}, {first}, casual: {each.description}"


def test_a_move_is_kept_though_no_bot_answers(client: Client) -> None:
    url = start(client, "tinc", "bot-club")
    play(client, url, ["a1"], ALICE)
    page = client.get(url, ALICE)
    assert "The bot is thinking" in page
    assert links(page)["Refresh"].startswith(f"{url}?at-")
    assert record(client, url)["moves"] == ["a1"]


def test_a_turn_that_was_left_is_played_after_the_next_start(client: Client) -> None:
    url = start(client, "tinc", "bot-club")
    play(client, url, ["a1"], ALICE)

    with Minds() as minds:
        client.bots = minds
        client.restart()
        wait_for(client, url, 2)


@pytest.mark.slow
def test_a_bot_process_that_dies_loses_nothing(
    thinking: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    ask = JsonLinesProcess.ask

    def die_at_first(process: JsonLinesProcess, task: dict[str, object], limit: float) -> object:
        asked.append(task)
        if len(asked) == 1:
            started = process._process or process._started()
            assert started is not None
            os.kill(started.pid, signal.SIGKILL)
        return ask(process, task, limit)

    monkeypatch.setattr(JsonLinesProcess, "ask", die_at_first)
    url = start(thinking, "tinc", "bot-club")
    play(thinking, url, ["a1"], ALICE)
    wait_for(thinking, url, 2)
    assert len(asked) >= 2


@pytest.mark.slow
def test_a_bot_that_cannot_find_a_move_plays_any(
    thinking: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = []
    monkeypatch.setattr(JsonLinesProcess, "ask", lambda *_: {"error": "a bug"})
    monkeypatch.setattr(Measurements, "thought", lambda *_, has_answer: answered.append(has_answer))
    url = start(thinking, "tinc", "bot-club")
    play(thinking, url, ["a1"], ALICE)
    wait_for(thinking, url, 2)
    assert set(answered) == {False}, "an error is counted as a failure"


def test_a_game_that_ends_while_the_bot_thinks_stays_ended(client: Client) -> None:
    url = start(client, "tinc", "bot-club")
    play(client, url, ["a1"], ALICE)
    resign(client, url, ALICE)
    with pytest.raises(OutdatedAction):
        bot_turns.reply(client.context, url.removeprefix("/play/"), 1, "b1+c1")
    assert record(client, url)["moves"] == ["a1"]
    assert record(client, url)["status"] == "resigned"
    assert "thinking" not in client.get(url)


def test_games_against_bots_are_ten_at_the_most(client: Client) -> None:
    for _ in range(10):
        start(client, "tinc", "bot-club")
    page = client.get(link(client.get("/play/new/tinc", ALICE), "/bot-club"), ALICE)
    assert page.startswith("# Too many games\n")
    assert start(client, "tinc", "open").startswith("/play/"), "people are not limited by it"


def test_a_hint_names_a_move_and_why(thinking: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "HINT_WAIT_SECONDS", PATIENCE)
    url = start(thinking, "numeric", "solo")
    play(thinking, url, ["a1=5", "a2=8"], ALICE)
    page = thinking.get(link(thinking.get(url, ALICE), "/hint"), ALICE)
    assert page.startswith("# A hint: Numeric: alice (Odd) – alice (Even)\n")
    (play_it,) = (url for label, url in links(page).items() if label.startswith("Play "))
    assert thinking.ask(play_it, ALICE) == Response(30, url)
    assert len(record(thinking, url)["moves"]) == 3


def test_a_hint_without_a_free_bot_says_so(client: Client) -> None:
    url = start(client, "numeric", "solo")
    page = client.get(link(client.get(url, ALICE), "/hint"), ALICE)
    assert "All the bots are busy just now." in page


def test_there_are_no_hints_between_two_people(client: Client) -> None:
    url = start_between(client, "numeric")
    page = client.get(url, ALICE)
    assert "A hint" not in links(page)
    for who in (ALICE, BOB):
        assert undone(client, link(page, "/move").replace("/move", "/hint"), who, url)


@pytest.mark.parametrize(
    "variant",
    [pytest.param(each, marks=[] if each == "tinc" else pytest.mark.slow) for each in VARIANTS],
)
def test_a_finished_game_is_analysed_in_the_background(
    thinking: Client, variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "POSITION_SECONDS", 0.01)
    moves = WON_GAMES[variant].split()
    url = start_between(thinking, variant)
    assert "The game is still in progress." in thinking.get(f"{url}/analysis")
    play(thinking, url, moves, ALICE, BOB)

    page = analysis_with(thinking, url, "## Move by move")
    assert f".{len(moves)} {len(moves)}. " in page
    assert f"```{VARIANTS[variant].side_name(Side.X)}'s chances" in page
    assert links(thinking.get(url))["Analysis: where the game turned"] == f"{url}/analysis"


def analysis_with(client: Client, url: str, heading: str) -> str:
    """Return the page of a game's analysis, which has this heading once it is there."""

    def analysis() -> str:
        page = client.get(f"{url}/analysis")
        assert heading in page or "on its way" in page
        return page if heading in page else ""

    return wait_until(analysis)


@pytest.mark.slow
def test_an_analysis_names_the_mistake_and_the_best_move(thinking: Client) -> None:
    url = start_between(thinking, "numeric")
    play(thinking, url, "a1=5 a2=8 c1=1 a3=2".split(), ALICE, BOB)
    page = analysis_with(thinking, url, "## Mistakes")
    assert "Move 1, a1=5, gave away the win" in page
    assert "All values are exact." in page
    assert "```Odd's chances, move by move" in page


def test_a_game_that_was_aborted_has_no_analysis(client: Client) -> None:
    url = start_between(client, "numeric")
    client.type(link(client.get(url, ALICE), "/abort"), "abort", ALICE)
    assert "There is no analysis of this game." in client.get(f"{url}/analysis")
    assert "Analysis: where the game turned" not in links(client.get(url))


def test_the_capsule_stops_at_once_though_bots_think() -> None:
    process = JsonLinesProcess("engine.bots.hosting.worker")
    task = {"task": "analysis", "variant": "ultimate", "moves": ["e5"], "seconds": 60, "seed": 1}
    refusals = []

    def ask() -> None:
        with pytest.raises(NoAnswer) as refusal:
            process.ask(task, 120)
        refusals.append(refusal.value.is_late)

    asking = Thread(target=ask)
    asking.start()
    wait_until(lambda: process._process is not None)
    time.sleep(0.5)
    process.shut_down()
    asking.join(PATIENCE)
    assert not asking.is_alive()
    assert refusals == [False]
    with pytest.raises(NoAnswer):
        process.ask(task, 1)


@pytest.mark.slow
def test_a_turn_that_could_not_be_read_is_asked_for_again(
    thinking: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, failures = bot_turns.game_with_moves, []

    def fail_at_first(*which: object) -> object:
        if not failures:
            failures.append(which)
            raise OSError
        return read(*which)

    monkeypatch.setattr(bot_turns, "game_with_moves", fail_at_first)
    url = start(thinking, "tinc", "bot-club")
    with suppress(OSError):
        play(thinking, url, ["a1"], ALICE)
    wait_for(thinking, url, 2)
    assert failures
