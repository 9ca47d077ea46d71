"""Draws with bots: offered to them, answered by them, and offered by them in games without end."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from capsule.bots import turns as bot_turns
from capsule.bots.service import BotService
from capsule.context import AppContext
from capsule.games import moves as game_moves
from capsule.games.game import Game
from engine import VARIANTS
from engine.bots.hosting.process import JsonLinesProcess
from engine.variants.tinc import TincPosition
from tests.support.acting import act
from tests.support.client import Client, action, context_of, find_game, links
from tests.support.people import known_player
from tests.support.stories import ALICE, play, record, start
from tests.support.thinking import Minds
from tests.support.waiting import wait_until

AGREED = "You drew by agreement."


class ScriptedBots(BotService):
    """Bots that answer offers at once, content or not, and leave moves to the story."""

    def __init__(self, context: AppContext, *, accepts_draw: bool) -> None:
        self._context, self._accepts_draw = context, accepts_draw

    def request_reply(self, game_id: str, turn_counter: int, owner: object) -> None:
        game = find_game(self._context, game_id)
        if game is not None and game.stored.answering_bot is not None:
            bot_turns.reply(self._context, game_id, turn_counter, accepts_draw=self._accepts_draw)


@pytest.fixture
def content(tmp_path: Path) -> Iterator[Client]:
    """A capsule whose bots are content with any draw."""
    made = Client(tmp_path, bots=lambda context: ScriptedBots(context, accepts_draw=True))
    yield made
    made.database.close()


@pytest.fixture
def ambitious(tmp_path: Path) -> Iterator[Client]:
    """A capsule whose bots are content with no draw."""
    made = Client(tmp_path, bots=lambda context: ScriptedBots(context, accepts_draw=False))
    yield made
    made.database.close()


def game_at(client: Client, url: str) -> Game:
    game = find_game(context_of(client), url.removeprefix("/play/"))
    assert game is not None
    return game


def bot_plays(client: Client, url: str, move: str, *, accepts_draw: bool = False) -> None:
    """Play a bot's move, as its process does."""
    game, context = game_at(client, url), context_of(client)
    counter = game.stored.turn_counter
    bot_turns.reply(context, game.id, counter, move, accepts_draw=accepts_draw)


def keep_to_the_edge(client: Client, url: str, plies: int, *, accepts_draw: bool = False) -> None:
    """Play on in a game of tinc, both with one symbol on the edge each turn, up to some move."""
    rng, context = Random(3), context_of(client)
    while (game := game_at(client, url)).ply < plies:
        position = game.position
        assert isinstance(position, TincPosition)
        move = position.turn_in((position.cell_on_edge(rng),)) if position.reach else "a1"
        if game.is_bots_turn:
            bot_plays(client, url, move, accepts_draw=accepts_draw)
        else:
            act(game_moves.move, context, known_player(context, ALICE), game.id, move)


def offer(client: Client, url: str) -> str:
    """Offer the bot a draw, and return the page that the browser shows then."""
    return client.get(links(client.get(url, ALICE))["Offer a draw"], ALICE)


def assert_declined_in_time(client: Client, url: str) -> None:
    """Let the bots think, and see that the club bot declines a draw."""
    with Minds() as minds:
        minds(context_of(client))
        wait_until(lambda: "considers your offer" not in client.get(url, ALICE))
    assert "Your opponent declines the draw." in client.get(url, ALICE)


def test_a_master_that_cannot_lose_agrees_to_a_draw_from_turn_20(client: Client) -> None:
    url = start(client, "tinc", "bot-master")
    keep_to_the_edge(client, url, 20)
    offer(client, url)
    with Minds() as minds:
        minds(context_of(client))
        wait_until(lambda: record(client, url)["status"] != "playing")
    assert record(client, url)["status"] == "agreed"
    assert record(client, url)["winner"] is None
    assert AGREED in client.get(url, ALICE)


def test_before_turn_20_a_bot_declines_and_says_so(content: Client) -> None:
    url = start(content, "tinc", "bot-master")
    keep_to_the_edge(content, url, 18)
    page = offer(content, url)
    assert "Your opponent declines the draw." in page
    assert "Offer a draw" not in links(page), "an offer a turn is enough"
    assert record(content, url)["status"] == "playing"

    keep_to_the_edge(content, url, 20)
    assert "Offer a draw" in links(content.get(url, ALICE))
    assert "declines" not in content.get(url, ALICE)
    assert AGREED in offer(content, url)
    assert record(content, url)["status"] == "agreed"


def test_a_bot_that_hopes_for_more_declines(ambitious: Client) -> None:
    url = start(ambitious, "tinc", "bot-club")
    keep_to_the_edge(ambitious, url, 24)
    assert "Your opponent declines the draw." in offer(ambitious, url)
    assert record(ambitious, url)["status"] == "playing"


def test_nobody_draws_by_asking_at_the_beginning(content: Client) -> None:
    """Theory may have decided the game by then, and the bot may know it."""
    url = start(content, "numeric", "bot-master")
    assert "declines the draw." in offer(content, url)
    play(content, url, ["b1=7"], ALICE)
    bot_plays(content, url, "c1=2")
    assert "declines the draw." in offer(content, url)
    for own, theirs in (("b2=1", "a2=4"), ("a3=5", "c3=8")):
        play(content, url, [own], ALICE)
        bot_plays(content, url, theirs)
    assert AGREED in offer(content, url)


def test_a_draw_is_offered_to_a_bot_on_ones_own_turn(client: Client) -> None:
    url = start(client, "tinc", "bot-club")
    draw = links(client.get(url, ALICE))["Offer a draw"]
    play(client, url, ["a1"], ALICE)
    page = client.get(url, ALICE)
    assert "Offer a draw" not in links(page)
    resign = action(page, "resign")
    for planted in (draw, resign.replace("/resign", "/draw")):
        client.get(planted, ALICE)
        assert game_at(client, url).stored.draw_offered_by is None


def test_an_offer_that_was_left_is_answered_after_the_next_start(client: Client) -> None:
    url = start(client, "tinc", "bot-club")
    offer(client, url)
    client.restart()
    assert "considers your offer" in client.get(url, ALICE)
    assert_declined_in_time(client, url)


def test_a_bot_that_cannot_be_asked_declines_at_last(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("capsule.bots.pool.SWEEP_SECONDS", 0.1)
    monkeypatch.setattr(JsonLinesProcess, "ask", lambda *_: {"error": "a bug"})
    url = start(client, "tinc", "bot-club")
    keep_to_the_edge(client, url, 24)
    offer(client, url)
    assert_declined_in_time(client, url)
    assert record(client, url)["status"] == "playing"


def test_a_bot_offers_a_draw_itself_from_turn_30(client: Client) -> None:
    url = start(client, "tinc", "bot-master")
    keep_to_the_edge(client, url, 29, accepts_draw=True)
    assert "offers a draw" not in client.get(url, ALICE)
    keep_to_the_edge(client, url, 30, accepts_draw=True)
    page = client.get(url, ALICE)
    assert "Your opponent offers a draw." in page
    assert "Your turn." in page, "an offer takes nobody's turn"
    client.get(links(page)["Accept the draw"], ALICE)
    assert record(client, url)["status"] == "agreed"


@pytest.mark.slow
@pytest.mark.parametrize("declines", [True, False])
def test_a_bot_whose_draw_was_not_accepted_does_not_offer_another(
    client: Client, *, declines: bool
) -> None:
    url = start(client, "tinc", "bot-master")
    keep_to_the_edge(client, url, 30, accepts_draw=True)
    if declines:
        client.get(links(client.get(url, ALICE))["Decline the draw"], ALICE)
    keep_to_the_edge(client, url, 40, accepts_draw=True)
    page = client.get(url, ALICE)
    assert "offers a draw" not in page
    assert "Offer a draw" in links(page), "but would still agree to one"


def test_a_bot_that_sees_a_win_offers_nothing(client: Client) -> None:
    url = start(client, "tinc", "bot-master")
    keep_to_the_edge(client, url, 36, accepts_draw=False)
    assert "offers a draw" not in client.get(url, ALICE)


def test_in_a_game_that_ends_by_itself_a_bot_offers_no_draw(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_turns, "FIRST_BOT_OFFER_PLIES", 1)
    url = start(client, "numeric", "bot-master")
    play(client, url, ["b2=5"], ALICE)
    bot_plays(client, url, "a1=2", accepts_draw=True)
    assert "offers a draw" not in client.get(url, ALICE)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_game_against_a_bot_lets_a_draw_be_offered(client: Client, variant: str) -> None:
    url = start(client, variant, "bot-club")
    assert "Offer a draw" in links(client.get(url, ALICE))


def test_alone_there_is_no_draw_to_offer(client: Client) -> None:
    assert "Offer a draw" not in links(client.get(start(client, "tinc", "solo"), ALICE))
