"""Steps of stories about everyone's game."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TypeAlias
from urllib.parse import quote

from capsule.bots import turns as bot_turns
from capsule.everyone import queries, voting
from capsule.everyone.model import EveryonesGame, Vote, midnight_after
from capsule.games.moves import make_move
from capsule.games.reading import load_running
from capsule.gemini.types import Certificate, Response
from tests.support.acting import holding
from tests.support.client import Client, certificate, link
from tests.support.stored import player_id
from tests.support.stories import ALICE, BOB, WON_GAMES, play, record, start_between

HERE, VOTING = "/everyone/", "/play/everyone/"

Begin: TypeAlias = Callable[[str], None]
"""Begins a first game of a variant."""


def let_vote(client: Client, *people: Certificate) -> None:
    """Let people play a game each, and wait for a day, after which they may vote."""
    friend = certificate("friend")
    for who in people:
        url = start_between(client, "numeric", who, friend)
        play(client, url, WON_GAMES["numeric"].split(), who, friend)
    client.now += timedelta(days=1, hours=1)


def advance(client: Client) -> EveryonesGame:
    """Do what is due in everyone's game, and return the newest one."""
    voting.advance(client.context)
    return newest(client)


def newest(client: Client) -> EveryonesGame:
    """Return the newest of everyone's games."""
    with client.database.reading() as connection:
        found = queries.newest_game(connection)
    assert found is not None
    return found


def midnight(client: Client, days: int = 1) -> EveryonesGame:
    """Wait until some seconds after a midnight, and do what is due."""
    for _ in range(days):
        client.now = midnight_after(client.now)
    client.now += timedelta(seconds=8)
    return advance(client)


def vote(client: Client, who: Certificate, move: str) -> None:
    """Vote for a move by the link on the page."""
    answer = cast(client, who, move)
    assert (answer.status, answer.meta) == (30, VOTING), answer


def cast(client: Client, who: Certificate, move: str) -> Response:
    """Return the answer to a vote that is typed."""
    return client.type(ballot(client, who), move, who)


def ballot(client: Client, who: Certificate) -> str:
    """Return the address at which a player votes."""
    return link(client.get(VOTING, who), "/vote")


def store_vote(client: Client, player_id: int, move: str) -> None:
    """Store a vote for the next move of the newest game, as its player's first."""
    game = newest(client).stored
    with client.database.writing() as connection:
        queries.save_vote(connection, game.id, game.ply + 1, player_id, Vote(move, client.now, 1))


def reply(client: Client, *moves: str) -> EveryonesGame:
    """Let the bot make moves, and return the game."""
    for move in moves:
        stored = newest(client).stored
        bot_turns.reply(client.context, stored.id, stored.turn_counter, move)
    return newest(client)


def advance_to_a_vote(client: Client) -> None:
    """Count the votes that are due, and let the bot make its first legal moves."""
    game = advance(client).stored
    while game.bot_to_move:
        position = game.variant.replay(moves_of(client))
        game = reply(client, next(iter(position.legal_moves()))).stored


def moves_of(client: Client) -> Sequence[str]:
    """Return the moves of the newest game."""
    moves: Sequence[str] = record(client, f"/play/{newest(client).stored.id}")["moves"]
    return moves


def link_of(address: str, move: str) -> str:
    """Return the link that votes for a move straight."""
    return f"{address}?{quote(move, safe='')}"


def fill(client: Client) -> None:
    """Let the first game be left and store the second, with votes of alice and bob.

    A week has passed since the first began.
    """
    game = advance(client)
    assert game.number == 2
    reply(client, "e5")
    alice, bob = player_id(client, ALICE), player_id(client, BOB)
    store_vote(client, alice, "e4")
    store_vote(client, bob, "e6")
    with holding(client.context, game.stored.id) as (transaction, stored):
        make_move(transaction, load_running(transaction, stored), "e4")
    reply(client, "e1")
    store_vote(client, alice, "e2")
