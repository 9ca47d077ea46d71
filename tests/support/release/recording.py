"""The record of a release: what its pages and its database say, and what they promise to keep."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import unquote

from sqlalchemy import Connection, select

from capsule.app import compiled_routes
from capsule.db.migrating import MIGRATIONS, newest_revision
from capsule.db.schema import metadata
from capsule.games.maintenance import recompute
from capsule.ratings import queries as rating_queries
from capsule.ui.routes import Route
from engine import VARIANTS
from engine.puzzles.registry import SOURCES
from tests.support.client import Client
from tests.support.crawling import Crawl, Sample, Visit, kind_of, targets
from tests.support.feeds import addresses as entry_addresses, ids as entry_ids
from tests.support.release.filling import BEGUN, PEOPLE, Filled
from tests.support.stories import action_in, record
from tests.support.walking import changes_nothing

READERS = ("alice", "carol", "bob", "dave", "grace", "clockwork", "newcomer", "")
"""The people who read everything to which pages lead, and a stranger."""

SAMPLE = Sample(20, 3, 4, 4)

CHOICES = ("topic", "term", "area", "form")
"""The groups of routes, besides those of `kind_of`, of whose words each has an address."""

UNLINKED = (
    "/play/desk.json",
    "/games/open.json",
    "/play/tournaments/open.json",
    *(f"/play/new/{variant}/keys.json" for variant in VARIANTS),
    "/play/me/code",
    "/play/?unsent",
    "/board/ultimate/?e5",
    "/favicon.txt",
    "/robots.txt",
)
"""Addresses to which no page leads: programs begin there, browsers ask for them, or people type."""


def recorded(client: Client, release: str, filled: Filled) -> dict[str, Any]:
    """Return the record of a capsule that `filling.fill` filled.

    The record is made by reading, which may note that certificates were used.
    """
    with client.database.reading() as connection:
        tables = {name: _rows(connection, name) for name in metadata.tables}
        ratings = rating_queries.all_ratings(connection)
    names = {row["id"]: row["name"] for row in tables["players"]}
    feeds = {names[row["player_id"]]: row["address"] for row in tables["private_feeds"]}
    known = {row["fingerprint"]: names[row["player_id"]] for row in tables["certificates"]}
    banned = {row["name"] for row in tables["players"] if row["banned_for"]}
    tournaments = {row["status"]: f"/play/tournaments/{row['id']}" for row in tables["tournaments"]}
    games = [row["id"] for row in tables["games"]]
    public = [
        "/feed",
        "/daily/feed",
        *(f"/games/{variant}/feed" for variant in VARIANTS),
        *(f"/players/{name}/feed" for name in names.values() if name),
        *(f"{url}/feed" for url in tournaments.values()),
    ]
    with_entries = [*public, *(f"/feed/{address}" for address in feeds.values())]
    return {
        "release": release,
        "revision": newest_revision(),
        "now": client.now.isoformat(),
        "ratings_check": str(recompute(client.database, check=True)),
        "certificates": {
            name: {
                "fingerprint": who.fingerprint,
                "common_name": who.common_name,
                "not_before": who.not_before.isoformat(),
                "not_after": who.not_after.isoformat(),
                "player": known.get(who.fingerprint),
                "banned": known.get(who.fingerprint) in banned,
            }
            for name, who in PEOPLE.items()
        },
        "ratings": [
            {
                "variant": who.variant,
                "player": None if who.player_id is None else names[who.player_id],
                "bot": who.bot,
                "mu": rating.mu,
                "sigma": rating.sigma,
            }
            for who, rating in ratings.items()
        ],
        "games": [_game(client, game_id) for game_id in games],
        "records": {url: client.get(f"{url}/record.txt") for url in _one_of_each(tables["games"])},
        "feeds": feeds,
        "tournaments": tournaments,
        "running": [_running(client, *each) for each in filled.running.items()],
        "entries": {path: entry_addresses(client, path) for path in with_entries},
        "ids": {path: entry_ids(client, path) for path in with_entries},
        "migrations": {
            path.name: digest_of([path.read_bytes()])
            for path in (MIGRATIONS / "notes.py", *sorted(MIGRATIONS.glob("versions/[0-9]*.py")))
        },
        "puzzles": {variant: _puzzles(variant) for variant in SOURCES},
        **addresses(client, [*UNLINKED, *filled.unlinked]),
    }


def _rows(connection: Connection, table: str) -> Sequence[Mapping[str, Any]]:
    """Return the rows of a table in the order of their keys."""
    columns = metadata.tables[table].primary_key.columns
    found = connection.execute(select(metadata.tables[table]).order_by(*columns)).mappings()
    return [dict(row) for row in found]


def _one_of_each(games: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    """Return the addresses of games: the first of each variant with each status."""
    found: dict[tuple[str, str], str] = {}
    for row in games:
        found.setdefault((row["variant"], row["status"]), f"/play/{row['id']}")
    return found.values()


def _game(client: Client, game_id: str) -> dict[str, Any]:
    game = record(client, f"/play/{game_id}")
    return {
        "id": game_id,
        "variant": game["variant"],
        "status": game["status"],
        "winner": game["winner"],
        "points": game["points"],
        **game["players"],
        "moves": " ".join(game["moves"]),
    }


def _running(client: Client, variant: str, url: str) -> dict[str, str]:
    name = next(name for name in ("carol", "dave") if "Your turn." in client.get(url, PEOPLE[name]))
    prompt = action_in(client, url, PEOPLE[name], "move")
    return {
        "name": variant,
        "game": url.removeprefix("/play/"),
        "who": name,
        "prompt": prompt,
        "move": BEGUN[variant][1],
    }


def _puzzles(variant: str) -> dict[str, Any]:
    lines = SOURCES[variant].file.read_bytes().splitlines(keepends=True)
    return {"count": len(lines), "sha256": digest_of(lines)}


def digest_of(lines: Iterable[bytes]) -> str:
    """Return the digest of lines of a file."""
    return sha256(b"".join(lines)).hexdigest()


def addresses(client: Client, beginnings: Sequence[str]) -> dict[str, dict[str, list[str]]]:
    """Return an address of each kind by the reader who came to it, of pages and of actions.

    Readers come to all by links from some beginnings. Raises `LookupError` if nobody came to any
    address of some route.
    """
    kinds: set[tuple[Route, str]] = set()
    pages: dict[str, list[str]] = {reader: [] for reader in READERS}
    actions: dict[str, list[str]] = {reader: [] for reader in READERS}
    for reader in READERS:
        for visit in _visits(client, reader, beginnings):
            if visit.answer.status not in (10, 11, 20, 30):
                continue
            for address in (visit.address, *_linked(visit)):
                route, arguments = _found(address)
                if route is None or (address != visit.address and not route.is_action):
                    continue
                choices = " ".join(str(arguments.get(each)) for each in CHOICES)
                kind = (route, f"{kind_of(address, route)} {choices}")
                if kind not in kinds:
                    kinds.add(kind)
                    (actions if route.is_action else pages)[reader].append(address)
    come_to = {route for route, _ in kinds}
    missing = [each for each in compiled_routes() if each not in come_to]
    if missing:
        raise LookupError("\n".join(f"{each.pattern.pattern} {each.queries}" for each in missing))
    return {"pages": pages, "actions": actions}


def _found(address: str) -> tuple[Route | None, Mapping[str, str | None]]:
    path, _, query = address.partition("?")
    return compiled_routes().find(unquote(path), unquote(query)) or (None, {})


def _visits(client: Client, reader: str, beginnings: Sequence[str]) -> Iterator[Visit]:
    crawl = Crawl(client, PEOPLE.get(reader), changes_nothing, SAMPLE)
    for beginning in ("/", *beginnings):
        yield from crawl.visiting(beginning)


def _linked(visit: Visit) -> Iterable[str]:
    """Return the addresses to which a page or an answer to a program leads."""
    if visit.answer.meta.startswith("application/json"):
        return _addresses_in(json.loads(visit.answer.body))
    return targets(visit)


def _addresses_in(data: object) -> Iterator[str]:
    if isinstance(data, str) and data.startswith("/"):
        yield data
    elif isinstance(data, dict | list):
        for each in data.values() if isinstance(data, dict) else data:
            yield from _addresses_in(each)
