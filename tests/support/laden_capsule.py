"""A capsule with as much of everything as visitors can bring about, stored quickly.

Alice has 99 running games, half of which wait for her, and a program has 500. There are long games,
many messages under one game, many comments on another, a tournament of 12, and many players, who
have ended many public games.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Connection, insert, update

from capsule.accounts.names import loose_skeleton, skeleton
from capsule.db import schema
from capsule.featured.choosing import week_of
from capsule.games.list_queries import ListPlace
from capsule.lobby.pages.public_games import query_of
from capsule.seasons.model import Standing, month_before, month_of
from capsule.social.notes import MAX_NOTES_PER_GAME
from capsule.social.relations import MAX_FAVOURITES
from engine import VARIANTS
from engine.cells import cell_name
from tests.support.client import Client, certificate
from tests.support.stored import change_row, numbered_id, player_id
from tests.support.stories import ALICE, BOB, CAROL, start_between

PROGRAM = certificate("program")

PROGRAMS_GAMES, ALICES_GAMES, COMMENTS = 500, 99, 1_000

_FIRST_PLAYER, _FIRST_OF_ALICE, _FIRST_OF_PROGRAM, _FIRST_LONG = 1_000, 10_000, 20_000, 30_000
_FIRST_OF_EVERYONE, _FIRST_OF_CUPS, _FIRST_OF_FAVOURITES = 40_000, 50_000, 60_000
_FIRST_ENDED = 100_000


CACHEABLE = """
    / /about /about/security /favicon.txt /robots.txt /languages /news
    /help/ /help/moves /help/programs/json /help/certificates/amfora
    /rules/ /rules/tinc /rules/tinc/try /rules/tinc/try/1 /rules/tinc/example
    /rules/tinc/strategy /rules/tinc/history /rules/tinc/facts
    /games/ /games/tinc /games/ultimate /games/annotated /everyone/ /everyone/60
    /cups/ /cups/2026-12 /play/cups/ /daily/ /play/daily/ /daily/2026-11-20
    /season/ /season/2026-10 /season/?lower-300000000000000-1 /season/?higher-200000000000000-1
    /play/season/
    /puzzles/ /puzzles/tinc/ /puzzles/tinc/1 /puzzles/tinc/grade/2
    /play/puzzles/ /play/puzzles/tinc/ /play/puzzles/tinc/grade/2
    /play/ /play/me/favourites /play/new/ /play/new/ultimate /play/new/ultimate/bots
    /board/ /board/ultimate/ /try/ /try/ultimate/words
""".split()
"""Addresses of cacheable pages; `Laden` adds those with ids."""

OF_COMPANY = """
    /play/everyone/ /everyone/feed /everyone/feed.xml /news/feed /feed /feed.xml
    /cups/feed /cups/2026-12/feed /games/annotated/feed /games/tinc/feed /games/tinc/feed.xml
    /daily/2026-11-20/share /play/daily/2026-11-20/share.gmi
    /players/ /players/alice /play/players/alice /play/me/ /play/me/settings
""".split()
"""Addresses of pages about people and events; `Laden` adds those with ids."""


@dataclass(frozen=True)
class Load:
    """The numbers of players, of messages and of ended games, and the moves of the long ones."""

    players: int
    messages: int
    ended: int
    lengths: tuple[int, ...]


LIGHT = Load(600, 1_000, 10_000, (400, 1_000))
FULL = Load(10_000, 10_000, 100_000, (400, 1_000, 5_000))


@dataclass(frozen=True)
class Laden:
    """The addresses of what is there."""

    long_games: dict[int, str]
    alices: list[str]
    programs: list[str]
    earlier: str

    @property
    def addresses(self) -> list[str]:
        """An address of every cacheable page, several of those that depend on what is stored."""
        most, longest = max(self.long_games.items())
        boards = f"/board/tinc/~{longest.removeprefix('/play/')}"
        return [
            *CACHEABLE,
            *(f"/play/new/tinc{page}?from=~{longest[6:]}.{most}" for page in ("", "/terms")),
            f"/board/tinc/{','.join(['a1', *['a1+b1'] * 140])}",
            f"/try/tinc/{','.join(['a1', *['a1+b1'] * 139])}",
            *(f"{boards}.{ply}" for ply in (0, 200, 399, 400, most // 2, most)),
            *(f"{longest}/{ply}" for ply in (0, 200, 399, 400, most // 2, most)),
            *self.long_games.values(),
            *(f"{longest}/comments{query}" for query in ("", "?1", f"?{COMMENTS // 2}")),
            f"{longest}/notes",
            *self.alices[:2],
            *self.programs[:3],
        ]

    @property
    def company(self) -> list[str]:
        """The addresses of pages about people and events that are made off the reactor's thread."""
        longest, shared = (self.long_games[moves(self.long_games)] for moves in (max, min))
        return [
            *OF_COMPANY,
            *(f"{longest}/comments/choose{query}" for query in ("", "?1", f"?{COMMENTS // 2}")),
            *(f"{shared}/share", f"{shared}/share.gmi"),
            *(f"{page}/player{_FIRST_PLAYER}" for page in ("/players", "/play/players")),
            f"/players/player{_FIRST_PLAYER}/feed",
            *(f"/games/?{self.earlier}", f"/games/tinc?{self.earlier}"),
        ]


def fill(client: Client, load: Load = FULL) -> Laden:
    """Fill a new capsule."""
    talkative = start_between(client, "ultimate", ALICE, BOB)
    program_game = start_between(client, "ultimate", PROGRAM, CAROL)
    alice, bob, program = (player_id(client, who) for who in (ALICE, BOB, PROGRAM))
    tournament = numbered_id(1)
    with client.database.writing() as connection:
        connection.execute(insert(schema.players.players), [*_players(client, load.players)])
        connection.execute(
            schema.players.players.update()
            .where(schema.players.players.c.id == program)
            .values(program_since=client.now)
        )
        connection.execute(insert(schema.ratings.ratings), [*_ratings(client, load.players)])
        alices = [*_running(client, _FIRST_OF_ALICE, ALICES_GAMES - 1, alice)]
        programs = [*_running(client, _FIRST_OF_PROGRAM, PROGRAMS_GAMES - 1, program)]
        connection.execute(
            insert(schema.social.news), [{"text": "x" * 280, "published_at": client.now}] * 1_000
        )
        connection.execute(insert(schema.games.games), [*alices, *programs])
        _fill_ended(client, connection, load)
        connection.execute(
            insert(schema.social.annotated_games),
            [
                {
                    "game_id": game["id"],
                    "player_id": alice,
                    "published_at": client.now,
                    "listed": True,
                    "shown": True,
                }
                for game in alices
            ],
        )
        connection.execute(
            insert(schema.ratings.season_standings), [*_standings(client, load.players, alice)]
        )
        _fill_messages(client, connection, talkative, (alice, bob), load.messages)
        _fill_tournament(client, connection, tournament, alice)
        _fill_everyones_games(client, connection)
        _fill_cup(client, connection, load.players)
        _fill_favourites(client, connection, alice)
        long_games = {
            length: _long_game(client, connection, number, length, (alice, bob))
            for number, length in enumerate(load.lengths, _FIRST_LONG)
        }
        _fill_comments(client, connection, long_games[max(long_games)], (alice, bob))
        _fill_notes(client, connection, long_games[max(long_games)], (alice, bob))
        _fill_featured(client, connection, long_games[min(long_games)])
    return Laden(
        long_games,
        [talkative, *(f"/play/{row['id']}" for row in alices)],
        [program_game, *(f"/play/{row['id']}" for row in programs)],
        query_of(
            "ended",
            ListPlace(client.now - timedelta(minutes=load.ended / 2), numbered_id(1), newer=False),
        ),
    )


def _game(client: Client, number: int, x: int | None, **columns: object) -> dict[str, object]:
    """Return the row of a game, by default one of ultimate that has just begun and is not listed.

    Its number makes its id.
    """
    return {
        "id": numbered_id(number),
        "variant": "ultimate",
        "listed": False,
        "x_player_id": x,
        "status": "playing",
        "turn": "X",
        "ply": 0,
        "created_at": client.now,
        "moved_at": client.now,
        **columns,
    }


def _round_robin(
    client: Client, connection: Connection, first: int, seats: Sequence[int], **tournament: object
) -> None:
    """Store a tournament of players, and all of its games, numbered from a first one on."""
    connection.execute(
        insert(schema.tournaments.tournaments).values(
            variant="ultimate",
            days_a_move=3,
            seats=len(seats),
            status="playing",
            created_at=client.now,
            started_at=client.now,
            **tournament,
        )
    )
    pairs = [(x, o) for x in seats for o in seats if x != o]
    terms = {"days_a_move": 3, "tournament_id": tournament["id"], "started_at": client.now}
    connection.execute(
        insert(schema.games.games),
        [
            _game(client, number, x, o_player_id=o, **terms)
            for number, (x, o) in enumerate(pairs, first)
        ],
    )


def _players(client: Client, count: int) -> Iterator[dict[str, object]]:
    for number in range(_FIRST_PLAYER, _FIRST_PLAYER + count):
        name = f"player{number}"
        yield {
            "id": number,
            "name": name,
            "likeness": skeleton(name),
            "look": loose_skeleton(name),
            "created_at": client.now,
        }


def _standings(client: Client, players: int, alice: int) -> Iterator[dict[str, object]]:
    """Yield the standings of this month and the one before; alice is last."""
    for month in (Month.of(client.now), Month.of(client.now).before):
        at = month.begins_at + timedelta(hours=12)
        for number in range(players):
            standing = Standing(2 + number % 100, number % 7, at)
            player = _FIRST_PLAYER + number
            yield _standing_columns(month, player, standing)
        yield _standing_columns(month, alice, Standing(1, 1, at))


def _standing_columns(month: Month, player: int, standing: Standing) -> dict[str, object]:
    return {
        "month": month.first_day,
        "player_id": player,
        "points": standing.points,
        "games": standing.games,
        "reached_at": standing.reached_at,
        "sort_key": standing.sort_key,
    }


def _ratings(client: Client, count: int) -> Iterator[dict[str, object]]:
    # One of them has played everything.
    rated = [(each, _FIRST_PLAYER) for each in VARIANTS if each != "ultimate"]
    rated += [("ultimate", number) for number in range(_FIRST_PLAYER, _FIRST_PLAYER + count)]
    for variant, number in rated:
        yield {
            "variant": variant,
            "player_id": number,
            "mu": 15 + number % 1_000 / 50,
            "sigma": 2.0,
            "games": 20,
            "opponents": 3,
            "changed_at": client.now,
        }


def _running(client: Client, first: int, count: int, player: int) -> Iterator[dict[str, object]]:
    """Yield the rows of games in progress of a player against many, who is to move in every other.

    They have all limits of time that there are.
    """
    for number in range(first, first + count):
        yield _game(
            client,
            number,
            player,
            o_player_id=_FIRST_PLAYER + number % PROGRAMS_GAMES,
            turn="X" if number % 2 else "O",
            days_a_move=(1, 2, 3, 5, 7, 14, None)[number % 7],
            created_at=client.now - timedelta(hours=2),
            started_at=client.now - timedelta(hours=2),
            moved_at=client.now - timedelta(seconds=number % 3_600),
        )


def _fill_ended(client: Client, connection: Connection, load: Load) -> None:
    """Store public games that ended a minute after each other."""
    rows = [
        _game(
            client,
            _FIRST_ENDED + number,
            _FIRST_PLAYER + number % load.players,
            o_player_id=_FIRST_PLAYER + 1 + number % (load.players - 1),
            variant="tinc" if number % 2 else "numeric",
            listed=True,
            status="resigned",
            turn="O",
            winner="X",
            x_points=1.0,
            o_points=0.0,
            ply=1,
            turn_counter=1,
            created_at=client.now - timedelta(minutes=number + 1),
            moved_at=client.now - timedelta(minutes=number),
            ended_at=client.now - timedelta(minutes=number),
        )
        for number in range(1, load.ended + 1)
    ]
    connection.execute(insert(schema.games.games), rows)
    connection.execute(
        insert(schema.games.moves),
        [
            {
                "game_id": row["id"],
                "ply": 1,
                "move": "a1" if row["variant"] == "tinc" else "a1=1",
                "side": "X",
                "played_at": row["moved_at"],
            }
            for row in rows
        ],
    )


def _fill_messages(
    client: Client, connection: Connection, url: str, between: tuple[int, int], count: int
) -> None:
    connection.execute(
        insert(schema.social.messages),
        [
            {
                "game_id": url.removeprefix("/play/"),
                "player_id": between[number % 2],
                "recipient_id": between[1 - number % 2],
                "text": "Well played",
                "sent_at": client.now - timedelta(seconds=count - number),
            }
            for number in range(count)
        ],
    )


def _fill_notes(client: Client, connection: Connection, url: str, authors: tuple[int, int]) -> None:
    """Store as many published notes on a game as there can be, half of them on one position."""
    game_id = url.removeprefix("/play/")
    for author in authors:
        connection.execute(
            insert(schema.social.annotated_games).values(
                game_id=game_id, player_id=author, published_at=client.now, listed=False, shown=True
            )
        )
        connection.execute(
            insert(schema.social.notes),
            [
                {
                    "game_id": game_id,
                    "player_id": author,
                    "text": "x" * 280,
                    "written_at": client.now,
                    "ply": 200 if number % 2 else number,
                    "published": True,
                }
                for number in range(MAX_NOTES_PER_GAME)
            ],
        )


def _fill_comments(
    client: Client, connection: Connection, url: str, recipients: tuple[int, int]
) -> None:
    """Store comments on a game, most of them by a player whom alice has muted."""
    game_id = url.removeprefix("/play/")
    connection.execute(
        insert(schema.social.comments),
        [
            {
                "game_id": game_id,
                "player_id": _FIRST_PLAYER + (number % 10 == 0),
                "x_recipient_id": recipients[0],
                "o_recipient_id": recipients[1],
                "text": "Well played",
                "sent_at": client.now - timedelta(hours=COMMENTS - number),
                "withdrawn": number % 3 == 0,
            }
            for number in range(COMMENTS)
        ],
    )
    connection.execute(
        insert(schema.players.relations).values(
            player_id=recipients[0], other_id=_FIRST_PLAYER, kind="mute", since=client.now
        )
    )
    change_row(connection, game_id, comments=COMMENTS)


def _fill_favourites(client: Client, connection: Connection, player: int) -> None:
    """Store as many favourites of a player as there can be, each with an open seat."""
    others = range(_FIRST_PLAYER, _FIRST_PLAYER + MAX_FAVOURITES)
    connection.execute(
        insert(schema.social.favourites),
        [{"player_id": player, "other_id": other, "since": client.now} for other in others],
    )
    connection.execute(
        update(schema.players.players)
        .where(schema.players.players.c.id.in_(others))
        .values(active_on=client.now.date())
    )
    connection.execute(
        insert(schema.games.games),
        [
            _game(
                client, number, other, variant="tinc", listed=True, status="waiting", precedence=0
            )
            for number, other in enumerate(others, _FIRST_OF_FAVOURITES)
        ],
    )


def _fill_tournament(
    client: Client, connection: Connection, tournament: str, announced_by: int
) -> None:
    seats = range(_FIRST_PLAYER + 1, _FIRST_PLAYER + 13)
    _round_robin(
        client,
        connection,
        2,
        seats,
        id=tournament,
        title="Twelve",
        announced_by=announced_by,
        rated=False,
    )
    connection.execute(
        insert(schema.tournaments.tournament_seats),
        [
            {
                "tournament_id": tournament,
                "number": number,
                "player_id": player,
                "taken_at": client.now,
            }
            for number, player in enumerate(seats, 1)
        ],
    )


def _fill_everyones_games(client: Client, connection: Connection) -> None:
    """Store many of everyone's games, with many votes for the last and the next move."""
    ids = [numbered_id(_FIRST_OF_EVERYONE + number) for number in range(1, 101)]
    rows = [
        _game(
            client,
            _FIRST_OF_EVERYONE + number,
            None,
            listed=True,
            everyones_side="X",
            o_bot="expert",
            status="aborted",
            ply=2,
            turn_counter=2,
            ended_at=client.now,
        )
        for number in range(1, 101)
    ]
    rows[-1] |= {"status": "playing", "ended_at": None}
    connection.execute(insert(schema.games.games), rows)
    connection.execute(
        insert(schema.games.moves),
        [
            {"game_id": each, "ply": ply, "move": move, "side": side, "played_at": client.now}
            for each in ids
            for ply, move, side in ((1, "e5", "X"), (2, "d4", "O"))
        ],
    )
    connection.execute(
        insert(schema.games.everyones_games),
        [
            {"number": number, "game_id": game_id, "won": 0, "drawn": 0, "lost": 0}
            for number, game_id in enumerate(ids, 1)
        ],
    )
    cells = [f"{column}{row}" for column in "abc" for row in range(1, 4)]
    connection.execute(
        insert(schema.games.everyones_votes),
        [
            {
                "game_id": ids[-1],
                "ply": ply,
                "player_id": _FIRST_PLAYER + number,
                "move": cells[number % len(cells)],
                "cast_at": client.now,
                "changes": 1,
            }
            for ply in (1, 3)
            for number in range(500)
        ],
    )


def _fill_cup(client: Client, connection: Connection, players: int) -> None:
    """Let all players enter a cup, of which 40 groups have begun."""
    connection.execute(
        insert(schema.tournaments.cups),
        [
            {
                "month": month,
                "variant": variant,
                "status": status,
                "group_count": groups,
                "entrants": players,
            }
            for month, variant, status, groups in (
                ("2026-12", "ultimate", "groups", 100),
                ("2027-01", "numeric", "entering", None),
            )
        ],
    )
    connection.execute(
        insert(schema.tournaments.cup_entries),
        [
            {
                "month": month,
                "player_id": player,
                "entered_at": client.now,
                "group_number": None if month == "2027-01" else player % 100 + 1,
            }
            for month in ("2026-12", "2027-01")
            for player in range(_FIRST_PLAYER, _FIRST_PLAYER + players)
        ],
    )
    for group in range(1, 41):
        first = _FIRST_PLAYER + 6 * group
        _fill_group(client, connection, group, range(first, first + 6))


def _fill_group(client: Client, connection: Connection, group: int, players: range) -> None:
    _round_robin(
        client,
        connection,
        _FIRST_OF_CUPS + 100 * group,
        players,
        id=numbered_id(_FIRST_OF_CUPS + group),
        title="",
        announced_by=players[0],
        rated=True,
        cup="2026-12",
        cup_group=group,
        ends_at=client.now + timedelta(days=45),
    )


def _fill_featured(client: Client, connection: Connection, url: str) -> None:
    """Store the games of many weeks: a long one, with a long reason."""
    this_week = week_of(client.now)
    connection.execute(
        insert(schema.games.featured_games),
        [
            {
                "week": this_week - timedelta(weeks=number),
                "game_id": url.removeprefix("/play/"),
                "picked_at": client.now,
                "why": "x" * 280,
            }
            for number in range(1_000)
        ],
    )


def _long_game(
    client: Client, connection: Connection, number: int, length: int, players: tuple[int, int]
) -> str:
    """Store a game of tinc, resigned, in which every turn has grown the grid at its left side."""
    game_id = numbered_id(number)
    moves = ["a1", *(cell_name(0, turn * 7 % (2 * turn + 1)) for turn in range(1, length))]
    connection.execute(
        insert(schema.games.games),
        _game(
            client,
            number,
            players[0],
            o_player_id=players[1],
            variant="tinc",
            listed=True,
            turn="X" if length % 2 == 0 else "O",
            ply=length,
            turn_counter=length,
        ),
    )
    connection.execute(
        insert(schema.games.moves),
        [
            {
                "game_id": game_id,
                "ply": ply,
                "move": move,
                "side": "X" if ply % 2 else "O",
                "played_at": client.now,
            }
            for ply, move in enumerate(moves, 1)
        ],
    )
    change_row(
        connection,
        game_id,
        status="resigned",
        winner="X",
        x_points=1.0,
        o_points=0.0,
        ended_at=client.now,
    )
    return f"/play/{game_id}"
