"""People and steps that many stories share."""

import json
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any
from urllib.parse import quote

from capsule.accounts.identity import reader_of
from capsule.bots import turns as bot_turns
from capsule.games.model import StoredGame
from capsule.gemini.types import Certificate, Request, Response
from capsule.play.pages.new_game import SUBJECT
from engine import Position, Side
from tests.support.client import Client, certificate, context_of, find_stored, link

ALICE = certificate("alice")
BOB = certificate("bob")
CAROL = certificate("carol")

ROOM = "At most 280 characters (about 150 in Cyrillic or Greek, 100 in Chinese)."
"""The beginning of every prompt for a text."""

NOTHING_PLAYED = "That link was of an earlier position: nothing was played."
"""The words for a link to a move, or to its prompt, that comes too late."""

WON_GAMES: dict[str, str] = {
    "tinc": "a1 c1 b3+d3 d4 a3+e3",
    "ultimate": "d7 c3 h8 e4 e2 e6 e7 d3 a9 b7 e3 e9 f7 i3 g9 c9 i7 g3 b8 f6 c7",
    "numeric": "a1=5 a2=8 c1=1 a3=2",
    "quantum": "b1+a3 a2+b3 b1+b2 a1+a3 b1+b3 a3+b3 a3",
    "extreme": "k8 o6 r9 i9 r7 i1 q3 o9 r8 r6 g9 l7 r1 r3 h8 m4 c1 p3 b9 o8 p6 j7 b2 o5 q6",
}
"""For each variant the moves of a short game with a winner.

Quantum's last measurement gives both players a line; extreme's has bonus moves.
"""

PAST_OPENINGS = ("e5", "d4", "a1", "c3")
"""Moves of ultimate and of extreme after which a master has to think: no opening goes so far."""


def undone(client: Client, url: str, who: Certificate, path: str) -> str:
    """Follow a link that is too late; return the lines that say so, above the page at a path."""
    answer = client.ask(url, who)
    assert answer.status == 20, answer
    preface, _, page = answer.body.partition("\n\n")
    assert page == client.ask(path, who).body
    return preface


def record(client: Client, url: str) -> dict[str, Any]:
    """Return the record of a game as programs read it."""
    return json.loads(client.get(f"{url}/record.json"))


def moves_of(client: Client, url: str) -> list[str]:
    """Return the moves of a game as its record has them."""
    return [*record(client, url)["moves"]]


def start(client: Client, variant: str, way: str, who: Certificate = ALICE) -> str:
    """Start a game by the link that `/play/new/` and the variant has for a way, without reading it.

    Returns its URL.
    """
    here = f"/play/new/{variant}"
    visitor = reader_of(client.context, Request(here, certificate=who))
    return client.ask(f"{here}/{visitor.account_key(client.context, SUBJECT)}/{way}", who).meta


def start_between(
    client: Client, variant: str, x: Certificate = ALICE, o: Certificate = BOB, terms: str = ""
) -> str:
    """Start a game that `x` invites `o` to, on terms such as "?days=3", and return its URL."""
    return _joined(client, start(client, variant, f"invite{terms}", x), o)


def open_game(
    client: Client, variant: str = "ultimate", x: Certificate = ALICE, o: Certificate = BOB
) -> str:
    """Start a public game, have the other seat taken, and return its URL."""
    return _joined(client, start(client, variant, "open", x), o)


def _joined(client: Client, url: str, who: Certificate) -> str:
    answer = client.ask(action_in(client, url, who, "join"), who)
    assert (answer.status, answer.meta) == (30, url), answer
    return url


def challenge(
    client: Client, name: str, variant: str = "ultimate", who: Certificate = ALICE, terms: str = ""
) -> Response:
    """Challenge somebody by typing their name on the page of a new game; return the answer."""
    page = client.get(f"/play/new/{variant}{terms}", who)
    return client.type(link(page, "/challenge"), name, who)


def play(client: Client, url: str, moves: Iterable[str], *players: Certificate) -> None:
    """Play moves in turn, each by whichever player is to move, without reading the game's page."""
    readers = {who: reader_of(client.context, Request(url, certificate=who)) for who in players}
    for move in moves:
        game = _stored(client, url)
        mover, reader = next(
            (who, each)
            for who, each in readers.items()
            if each.player is not None and each.player.id == game.mover.player_id
        )
        key = reader.game_key(client.context, game.id, game.turn_counter)
        answer = client.ask(f"{url}/{key}/move?{quote(move, safe='')}", mover)
        assert (answer.status, answer.meta) == (30, url), (move, answer)


def played(
    client: Client, variant: str, x: Certificate = ALICE, o: Certificate = BOB, terms: str = ""
) -> str:
    """Play a game of `WON_GAMES` to its end, as started by `start_between`, and return its URL."""
    url = start_between(client, variant, x, o, terms)
    play(client, url, WON_GAMES[variant].split(), x, o)
    return url


def bot_plays(client: Client, url: str, *moves: str) -> None:
    """Play a bot's moves, as its process does."""
    for move in moves:
        game = _stored(client, url)
        bot_turns.reply(context_of(client), game.id, game.turn_counter, move)


def play_any(
    client: Client, url: str, plies: int, seed: int, *, x: Certificate = ALICE, o: Certificate = BOB
) -> Iterator[tuple[Position, Certificate, Certificate]]:
    """Play up to this many random moves; yield each position, its mover and the other player."""
    position, rng = _stored(client, url).variant.start, Random(seed)
    players = {Side.X: x, Side.O: o}
    for _ in range(plies):
        if position.outcome is not None:
            return
        mover = players[position.turn]
        yield position, mover, players[position.turn.other]
        move = position.random_move(rng)
        play(client, url, [move], mover)
        position = position.play(move)


def action_in(client: Client, url: str, who: Certificate, verb: str) -> str:
    """Return the address of an action of a player in a game as it stands."""
    game = _stored(client, url)
    visitor = reader_of(client.context, Request(url, certificate=who))
    return f"{url}/{visitor.game_key(client.context, game.id, game.turn_counter)}/{verb}"


def _stored(client: Client, url: str) -> StoredGame:
    game = find_stored(client.context, url.removeprefix("/play/"))
    assert game is not None, url
    return game
