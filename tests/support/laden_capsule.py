"""A capsule with as much of everything as visitors can bring about, stored quickly.

Alice has 99 running games, half of which wait for her, and a program has 500. There are long games,
many messages under one game, many comments on another, a tournament of 12, and many players, who
have ended many public games.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import cycle, permutations

from sqlalchemy import Connection, Table, insert, update

from capsule.cups.model import CupStatus
from capsule.db import schema
from capsule.featured.choosing import week_of
from capsule.games.list_queries import ListPlace
from capsule.lobby.pages.public_games import query_of
from capsule.seasons.model import Month, Standing
from capsule.social.lines import MAX_NOTES_PER_GAME
from capsule.social.relations import MAX_FAVOURITES
from engine import VARIANTS
from engine.boards.grid import NINE
from tests.support.client import Client, certificate
from tests.support.stored import (
    change_row,
    game_row,
    growing,
    numbered_id,
    player_id,
    player_row,
    won_row,
)
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
    people = range(_FIRST_PLAYER, _FIRST_PLAYER + load.players)
    with client.database.writing() as connection:
        filling = Filling(connection, client.now, people)
        filling.people(program)
        alices = filling.running(_FIRST_OF_ALICE, ALICES_GAMES - 1, alice)
        programs = filling.running(_FIRST_OF_PROGRAM, PROGRAMS_GAMES - 1, program)
        filling.ended(load.ended)
        filling.news_and_annotated(alices, alice)
        filling.standings(alice)
        filling.messages(talkative.removeprefix("/play/"), (alice, bob), load.messages)
        filling.tournament(alice)
        filling.everyones_games()
        filling.cup()
        filling.favourites(alice)
        long_games = {
            length: filling.long_game(numbered_id(number), length, (alice, bob))
            for number, length in enumerate(load.lengths, _FIRST_LONG)
        }
        filling.comments(long_games[max(long_games)], (alice, bob))
        filling.notes(long_games[max(long_games)], (alice, bob))
        filling.featured(long_games[min(long_games)])
    return Laden(
        {length: f"/play/{game_id}" for length, game_id in long_games.items()},
        [talkative, *(f"/play/{game_id}" for game_id in alices)],
        [program_game, *(f"/play/{game_id}" for game_id in programs)],
        query_of(
            "ended",
            ListPlace(client.now - timedelta(minutes=load.ended / 2), numbered_id(1), newer=False),
        ),
    )


@dataclass(frozen=True)
class Filling:
    """A database that is being filled at a time; most of its players have the ids of `players`."""

    connection: Connection
    now: datetime
    players: range

    def insert(self, table: Table, rows: Iterable[Mapping[str, object]]) -> None:
        """Store rows, all of which have the same columns."""
        self.connection.execute(insert(table), [*rows])

    def moves(self, game_ids: Iterable[str], moves: Sequence[str]) -> None:
        """Store the same moves, made in turn, for several games."""
        self.insert(
            schema.games.moves,
            [
                {"game_id": each, "ply": ply, "move": move, "side": side, "played_at": self.now}
                for each in game_ids
                for ply, (move, side) in enumerate(zip(moves, cycle("XO"), strict=False), 1)
            ],
        )

    def people(self, program: int) -> None:
        """Store players with a rating in ultimate; the first has one in every variant."""
        players = schema.players.players
        self.insert(
            players,
            [{"id": each, **player_row(f"player{each}", self.now)} for each in self.players],
        )
        declared = update(players).where(players.c.id == program).values(program_since=self.now)
        self.connection.execute(declared)
        certain = {"sigma": 2.0, "games": 20, "opponents": 3, "changed_at": self.now}
        rated = [(each, self.players[0]) for each in VARIANTS if each != "ultimate"]
        rated += [("ultimate", each) for each in self.players]
        self.insert(
            schema.ratings.ratings,
            [
                {"variant": variant, "player_id": each, "mu": 15 + each % 1_000 / 50, **certain}
                for variant, each in rated
            ],
        )

    def running(self, first: int, count: int, player: int) -> Sequence[str]:
        """Store running games of a player against many, who is to move in every other.

        They have all limits of time that there are. Returns their ids.
        """
        begun = self.now - timedelta(hours=2)
        rows = {
            numbered_id(number): {
                "variant": "ultimate",
                "x_player_id": player,
                "o_player_id": self.players[number % PROGRAMS_GAMES],
                "turn": "X" if number % 2 else "O",
                "days_a_move": (1, 2, 3, 5, 7, 14, None)[number % 7],
                "started_at": begun,
                "moved_at": self.now - timedelta(seconds=number % 3_600),
            }
            for number in range(first, first + count)
        }
        self.insert(
            schema.games.games, (game_row(each, begun, **row) for each, row in rows.items())
        )
        return [*rows]

    def ended(self, count: int) -> None:
        """Store public games that ended a minute after each other."""
        for parity, variant, move in ((0, "numeric", "a1=1"), (1, "tinc", "a1")):
            rows = [
                won_row(
                    numbered_id(_FIRST_ENDED + number),
                    self.now - timedelta(minutes=number),
                    x_player_id=self.players[number % len(self.players)],
                    o_player_id=self.players[number % (len(self.players) - 1) + 1],
                    variant=variant,
                    listed=True,
                    turn="O",
                    ply=1,
                    turn_counter=1,
                )
                for number in range(1, count + 1)
                if number % 2 == parity
            ]
            self.insert(schema.games.games, rows)
            self.moves([str(row["id"]) for row in rows], [move])

    def news_and_annotated(self, games: Iterable[str], author: int) -> None:
        """Store much news, and public notes on games."""
        self.insert(schema.social.news, [{"text": "x" * 280, "published_at": self.now}] * 1_000)
        self.insert(schema.social.annotated_games, (self.published(each, author) for each in games))

    def published(self, game_id: str, author: int, *, listed: bool = True) -> dict[str, object]:
        """Return the row of a game on which a player has published notes."""
        shown = {"published_at": self.now, "listed": listed, "shown": True}
        return {"game_id": game_id, "player_id": author, **shown}

    def standings(self, last: int) -> None:
        """Store the standings of this month and the one before."""
        for month in (Month.of(self.now), Month.of(self.now).before):
            at = month.begins_at + timedelta(hours=12)
            standings = {
                each: Standing(2 + place % 100, place % 7, at)
                for place, each in enumerate(self.players)
            }
            standings[last] = Standing(1, 1, at)
            self.insert(
                schema.ratings.season_standings,
                [
                    {
                        "month": month.first_day,
                        "player_id": each,
                        "points": standing.points,
                        "games": standing.games,
                        "reached_at": standing.reached_at,
                        "sort_key": standing.sort_key,
                    }
                    for each, standing in standings.items()
                ],
            )

    def messages(self, game_id: str, between: tuple[int, int], count: int) -> None:
        """Store messages, by turns, that were sent a second after each other."""
        self.insert(
            schema.social.messages,
            [
                {
                    "game_id": game_id,
                    "player_id": between[number % 2],
                    "recipient_id": between[1 - number % 2],
                    "text": "Well played",
                    "sent_at": self.now - timedelta(seconds=count - number),
                }
                for number in range(count)
            ],
        )

    def notes(self, game_id: str, authors: tuple[int, int]) -> None:
        """Store as many published notes on a game as there can be, half of them on one position."""
        for author in authors:
            game = self.published(game_id, author, listed=False)
            self.insert(schema.social.annotated_games, [game])
            note = {"game_id": game_id, "player_id": author, "text": "x" * 280}
            note |= {"written_at": self.now, "published": True}
            places = (200 if number % 2 else number for number in range(MAX_NOTES_PER_GAME))
            self.insert(schema.social.notes, [{**note, "ply": ply} for ply in places])

    def comments(self, game_id: str, recipients: tuple[int, int]) -> None:
        """Store comments on a game, most of them by a player whom alice has muted."""
        alice, bob = recipients
        comment = {"game_id": game_id, "x_recipient_id": alice, "o_recipient_id": bob}
        self.insert(
            schema.social.comments,
            [
                {
                    **comment,
                    "player_id": self.players[number % 10 == 0],
                    "text": "Well played",
                    "sent_at": self.now - timedelta(hours=COMMENTS - number),
                    "withdrawn": number % 3 == 0,
                }
                for number in range(COMMENTS)
            ],
        )
        muted = {"player_id": alice, "other_id": self.players[0], "kind": "mute", "since": self.now}
        self.insert(schema.players.relations, [muted])
        change_row(self.connection, game_id, comments=COMMENTS)

    def favourites(self, player: int) -> None:
        """Store as many favourites of a player as there can be, each with an open seat."""
        others, players = self.players[:MAX_FAVOURITES], schema.players.players
        self.insert(
            schema.social.favourites,
            [{"player_id": player, "other_id": other, "since": self.now} for other in others],
        )
        seen = update(players).where(players.c.id.in_(others))
        self.connection.execute(seen.values(active_on=self.now.date()))
        open_seat = {"listed": True, "status": "waiting", "precedence": 0}
        self.insert(
            schema.games.games,
            [
                game_row(numbered_id(number), self.now, x_player_id=other, **open_seat)
                for number, other in enumerate(others, _FIRST_OF_FAVOURITES)
            ],
        )

    def round_robin(
        self, tournament_id: str, first: int, seats: Sequence[int], **columns: object
    ) -> None:
        """Store a tournament of players, and all of its games, numbered from a first one on."""
        terms = {"variant": "ultimate", "days_a_move": 3, "started_at": self.now}
        begun = {"id": tournament_id, "status": "playing", "created_at": self.now}
        tournament = {**terms, **begun, "seats": len(seats), **columns}
        self.insert(schema.tournaments.tournaments, [tournament])
        terms |= {"tournament_id": tournament_id}
        self.insert(
            schema.games.games,
            [
                game_row(numbered_id(number), self.now, x_player_id=x, o_player_id=o, **terms)
                for number, (x, o) in enumerate(permutations(seats, 2), first)
            ],
        )

    def tournament(self, announced_by: int) -> None:
        """Store a tournament of twelve."""
        tournament, seats = numbered_id(1), self.players[1:13]
        of_alice = {"title": "Twelve", "announced_by": announced_by, "rated": False}
        self.round_robin(tournament, 2, seats, **of_alice)
        taken = {"tournament_id": tournament, "taken_at": self.now}
        self.insert(
            schema.tournaments.tournament_seats,
            [{**taken, "number": place, "player_id": each} for place, each in enumerate(seats, 1)],
        )

    def everyones_games(self) -> None:
        """Store many of everyone's games, with many votes for the last and the next move."""
        ids = [numbered_id(_FIRST_OF_EVERYONE + number) for number in range(1, 101)]
        everyones = {"listed": True, "everyones_side": "X", "o_bot": "expert"}
        rows = [
            game_row(
                each,
                self.now,
                variant="ultimate",
                ply=2,
                turn_counter=2,
                ended_at=ended,
                **everyones,
            )
            | {"status": "aborted" if ended else "playing"}
            for each, ended in zip(ids, [*[self.now] * 99, None], strict=True)
        ]
        self.insert(schema.games.games, rows)
        self.moves(ids, ["e5", "d4"])
        self.insert(
            schema.games.everyones_games,
            [
                {"number": number, "game_id": game_id, "won": 0, "drawn": 0, "lost": 0}
                for number, game_id in enumerate(ids, 1)
            ],
        )
        vote = {"game_id": ids[-1], "cast_at": self.now, "changes": 1}
        self.insert(
            schema.games.everyones_votes,
            [
                {**vote, "ply": ply, "player_id": self.players[number], "move": move}
                for ply in (1, 3)
                for number, move in zip(range(500), cycle(NINE), strict=False)
            ],
        )

    def cup(self) -> None:
        """Let all players enter a cup, of which 40 groups have begun, and the next one."""
        cups = (
            ("2026-12", "ultimate", CupStatus.GROUPS, 100),
            ("2027-01", "numeric", CupStatus.ENTERING, None),
        )
        for month, variant, status, groups in cups:
            cup = {"month": month, "variant": variant, "status": status, "group_count": groups}
            self.insert(schema.tournaments.cups, [{**cup, "entrants": len(self.players)}])
            self.insert(
                schema.tournaments.cup_entries,
                [
                    {
                        "month": month,
                        "player_id": player,
                        "entered_at": self.now,
                        "group_number": groups and player % groups + 1,
                    }
                    for player in self.players
                ],
            )
        for group in range(1, 41):
            seats = self.players[6 * group : 6 * group + 6]
            of_cup = {"cup": "2026-12", "cup_group": group, "title": "", "rated": True}
            ends = {"announced_by": seats[0], "ends_at": self.now + timedelta(days=45)}
            first = _FIRST_OF_CUPS + 100 * group
            self.round_robin(numbered_id(_FIRST_OF_CUPS + group), first, seats, **of_cup, **ends)

    def featured(self, game_id: str) -> None:
        """Store the games of many weeks: a long one, with a long reason."""
        picked = {"game_id": game_id, "picked_at": self.now, "why": "x" * 280}
        weeks = (week_of(self.now) - timedelta(weeks=number) for number in range(1_000))
        self.insert(schema.games.featured_games, [{**picked, "week": week} for week in weeks])

    def long_game(self, game_id: str, length: int, players: tuple[int, int]) -> str:
        """Store a game of tinc, resigned, in which every turn has grown the grid."""
        row = won_row(
            game_id,
            self.now,
            x_player_id=players[0],
            o_player_id=players[1],
            listed=True,
            turn="X" if length % 2 == 0 else "O",
            ply=length,
            turn_counter=length,
        )
        self.insert(schema.games.games, [row])
        self.moves([game_id], growing(length))
        return game_id
