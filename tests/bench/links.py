"""Links and lines of the pages that people see most: `python -m tests.bench.links`.

A small capsule is filled through its pages, without sockets, and each kind of page is read once.
Links that play a move are counted apart, too, since their number is the position's.
"""

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from capsule.bots import turns
from capsule.bots.service import BotService
from capsule.context import AppContext
from capsule.games import reading
from engine import VARIANTS
from tests.support.client import Client, certificate, links
from tests.support.conversation import ended_game, say
from tests.support.gemtext_rules import lines_of
from tests.support.stories import ALICE, BOB, CAROL, WON_GAMES, open_game, play, start
from tests.support.tournaments import announce

MOVE_VERBS = "/move?", "/answer?", "/answered?"

HEADINGS = ("page", "links", "of moves", "lines")


class ScriptedBots(BotService):
    """Bots that reply at once, with the moves of a known game of the variant."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    def request_reply(self, game_id: str, turn_counter: int, owner: object) -> None:
        """Play the bot's next moves, as long as it is to move."""
        game = reading.find_game(self._context, game_id)
        while game is not None and game.is_bots_turn:
            move = WON_GAMES[game.variant.key].split()[game.ply]
            game = turns.bot_move(self._context, game_id, game.stored.turn_counter, move)


@dataclass(frozen=True)
class Counted:
    """Numbers of links of a page, of those that play a move, and of lines."""

    links: int
    moves: int
    lines: int

    @classmethod
    def of(cls, page: str) -> "Counted":
        """Count what is on a page."""
        lines = [*lines_of(page)]
        targets = [line.text.split()[1] for line in lines if line.kind == "link"]
        moves = [each for each in targets if any(verb in each for verb in MOVE_VERBS)]
        return cls(len(targets), len(moves), len(lines))


def main() -> None:
    """Print a table of all kinds of pages."""
    found = sorted(counted().items())
    rows = [(name, str(n.links), str(n.moves), str(n.lines)) for name, n in found]
    width = max(len(name) for name, *_ in rows)
    for name, *numbers in (HEADINGS, *rows):
        print(name.ljust(width), *(number.rjust(8) for number in numbers))


def counted() -> Mapping[str, Counted]:
    """Fill a capsule, and return what is on each kind of page, by its name."""
    with tempfile.TemporaryDirectory() as folder:
        client = Client(Path(folder), bots=ScriptedBots)
        pages = {name: Counted.of(page) for name, page in _pages(client)}
        client.database.close()
    return pages


def _pages(client: Client) -> Iterator[tuple[str, str]]:
    new = certificate("newcomer")
    yield "home, quiet", client.get("/")
    yield "/play/ of somebody new", client.get("/play/", new)
    yield "new game of somebody new", client.get("/play/new/", new)
    yield from _games_with_bots(client)
    yield from _games_with_people(client)
    yield "home, with games", client.get("/")
    yield from _other_pages(client)


def _games_with_bots(client: Client) -> Iterator[tuple[str, str]]:
    for variant in VARIANTS:
        who = certificate(f"new-at-{variant}")
        game = start(client, variant, "bot-novice", who)
        play(client, game, WON_GAMES[variant].split()[:1], who)
        yield f"own turn, first game, with a bot: {variant}", client.get(game, who)
    for variant, moves in WON_GAMES.items():
        game = start(client, variant, "bot-novice")
        play(client, game, _own_moves(variant, moves), ALICE)
        yield f"over, with a bot: {variant}", client.get(game, ALICE)
        yield f"over, with a bot, as a visitor: {variant}", client.get(game)
        game = start(client, variant, "bot-novice")
        play(client, game, moves.split()[:1], ALICE)
        yield f"own turn, with a bot: {variant}", client.get(game, ALICE)


def _own_moves(variant: str, moves: str) -> list[str]:
    """Return the moves of a game that the side moving first makes."""
    position, own = VARIANTS[variant].start, []
    for move in moves.split():
        if position.turn is VARIANTS[variant].start.turn:
            own.append(move)
        position = position.play(move)
    return own


def _games_with_people(client: Client) -> Iterator[tuple[str, str]]:
    for variant, moves in WON_GAMES.items():
        game = open_game(client, variant)
        play(client, game, moves.split()[:2], ALICE, BOB)
        say(client, game, "Good luck!", ALICE)
        say(client, game, "Thank you, and to you", BOB)
        yield f"own turn, with a person: {variant}", client.get(game, ALICE)
        yield f"waiting for a person: {variant}", client.get(game, BOB)
        yield f"in play, as a visitor: {variant}", client.get(game)
    over = ended_game(client)
    yield "over, with a person", client.get(over, ALICE)
    yield from _behind("More about this game", client, game, "more about a game")
    start(client, "tinc", "open", CAROL)


def _other_pages(client: Client) -> Iterator[tuple[str, str]]:
    yield "your games", client.get("/play/", ALICE)
    yield "the desk", client.get("/play/desk", ALICE)
    yield "new game", client.get("/play/new/", ALICE)
    yield "new game of ultimate", client.get("/play/new/ultimate", ALICE)
    yield from _behind("Change the terms", client, "/play/new/ultimate", "terms of ultimate")
    yield "new tournament", client.get("/play/tournaments/new", ALICE)
    yield from _behind(
        "Change the terms", client, "/play/tournaments/new", "terms of a new tournament"
    )
    announced = announce(client, "seats=4&starts=1&bots=club", BOB)
    begun = announce(client, "seats=4&starts=now&bots=club", CAROL)
    yield "tournament, announced", client.get(announced, ALICE)
    yield "tournament, being played", client.get(begun, CAROL)
    yield "profile", client.get("/players/bob")
    yield "account", client.get("/play/me/", ALICE)
    yield "settings", client.get("/play/me/settings", ALICE)
    yield from _behind(
        "Choose what your feed tells you", client, "/play/me/", "settings of the private feed"
    )
    yield "players", client.get("/players/")
    yield "ladder of ultimate", client.get("/players/ladder/ultimate")
    yield "public games", client.get("/games/")
    yield "rules", client.get("/rules/")
    yield "rules of ultimate", client.get("/rules/ultimate")
    yield "ultimate in figures", client.get("/rules/ultimate/facts")
    yield "help", client.get("/help/")
    yield "puzzles of ultimate", client.get("/puzzles/ultimate/")
    yield "a puzzle of ultimate", client.get("/puzzles/ultimate/1")


def _behind(label: str, client: Client, address: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield the page behind a link of another one, if that has such a link."""
    target = links(client.get(address, ALICE)).get(label)
    if target is not None:
        yield name, client.get(target, ALICE)


if __name__ == "__main__":
    main()
