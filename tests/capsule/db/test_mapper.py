"""Values are read as they were stored, whatever they have: no field is forgotten on the way."""

from dataclasses import MISSING, dataclass, fields, replace
from datetime import datetime, timedelta
from enum import Enum
from typing import Any

import pytest
from sqlalchemy import Column, Integer, MetaData, String, Table, insert

from capsule.db.mapper import Mapper
from capsule.db.schema.tournaments import cups
from capsule.games import queries as game_queries
from capsule.games.model import EndReason, GameStatus, Seat, StoredGame, StoredMove
from capsule.languages.dates import Month
from capsule.mail import queries as mail_queries
from capsule.mail.model import MailKind, PendingAddress, Subscription, TurnMail
from capsule.tournaments import queries as tournament_queries
from capsule.tournaments.model import CupPart, StoredTournament, TournamentSeat, TournamentStatus
from engine import VARIANTS, Side
from tests.support.client import BEGINNING, Client
from tests.support.stored import player_id
from tests.support.stories import ALICE, BOB, CAROL, start

DAY = timedelta(days=1)


def at(day: int) -> datetime:
    return BEGINNING + day * DAY


def full(value: Any, *but: str) -> Any:  # noqa: ANN401 - of any dataclass
    """Return a value, of which every field but some has something else than its default."""
    for each in fields(value):
        if each.name not in but and each.default is not MISSING:
            assert getattr(value, each.name) != each.default, each.name
    return value


@pytest.fixture
def players(client: Client) -> tuple[int, int, int]:
    """Return the ids of alice, bob and carol, who is a game's challenged player."""
    for who in (ALICE, BOB, CAROL):
        start(client, "tinc", "solo", who)
    return player_id(client, ALICE), player_id(client, BOB), player_id(client, CAROL)


def tournament(announcer: int) -> StoredTournament:
    found = StoredTournament(
        id="tournament",
        variant=VARIANTS["numeric"],
        title="Autumn",
        announced_by=announcer,
        announcer="alice",
        days_per_move=3,
        rated=True,
        seat_count=5,
        fill_level="expert",
        starts_at=at(1),
        status=TournamentStatus.CANCELLED,
        created_at=at(0),
        changes=2,
        started_at=at(2),
        ended_at=at(3),
        called_off_for="rain",
        ends_at=at(4),
    )
    return full(found, "cup")


def seat(player: int) -> TournamentSeat:
    return TournamentSeat(1, at(0), player)


def test_a_game_is_read_as_it_was_changed(client: Client, players: tuple[int, int, int]) -> None:
    alice, bob, carol = players
    x = Seat(alice, "alice", None, 4, 5, shows_messages=True)
    o = Seat(bob, "bob", None, 6, 7, shows_messages=True)
    begun = StoredGame(
        id="game",
        variant=VARIANTS["quantum"],
        x=Seat(alice, "alice"),
        o=Seat(bot="expert"),
        status=GameStatus.PLAYING,
        turn=Side.X,
        created_at=at(0),
        moved_at=at(0),
    )
    ended = StoredGame(
        id="game",
        variant=VARIANTS["quantum"],
        x=x,
        o=o,
        status=GameStatus.WAITING,
        turn=Side.O,
        created_at=at(1),
        moved_at=at(2),
        ply=12,
        turn_counter=13,
        winner=Side.O,
        points=(0.5, 1.0),
        draw_offered_by=Side.X,
        takeback_asked_by=Side.O,
        draw_offered_at=at(3),
        takeback_asked_at=at(4),
        started_at=at(5),
        ended_at=at(6),
        bot_to_move=True,
        hints=2,
        takebacks=3,
        analysis_due=True,
        season_due=True,
        listed=True,
        lists_when_joined=True,
        lists_with_bots=True,
        days_per_move=7,
        rated=True,
        surplus=True,
        rating_number=8,
        precedence=-1,
        seat_taken_by=bob,
        challenged=Seat(carol, "carol"),
        declined=True,
        end_reason=EndReason.ABORTED,
        ended_by=Side.X,
        previous_id="game",
        next_id="game",
        tournament_id="tournament",
        ends_by=at(7),
        start_ply=2,
        comments=9,
        comments_closed=True,
    )
    full(ended)
    with client.database.writing() as connection:
        tournament_queries.add_tournament(connection, tournament(alice), [seat(alice)])
        game_queries.add_game(connection, begun)
        assert game_queries.game_by_id(connection, "game") == begun
        game_queries.save_changes(connection, begun, ended)
        assert game_queries.game_by_id(connection, "game") == ended


def test_a_game_with_everyone_keeps_their_side(client: Client) -> None:
    game = StoredGame(
        id="game",
        variant=VARIANTS["tinc"],
        x=Seat(bot="expert"),
        o=Seat(is_everyones=True),
        status=GameStatus.PLAYING,
        turn=Side.X,
        created_at=at(0),
        moved_at=at(0),
    )
    move = full(StoredMove(1, Side.X, "a1", at(1), takebacks=2, planned=True))
    with client.database.writing() as connection:
        game_queries.add_game(connection, game)
        game_queries.add_moves(connection, "game", [move])
        assert game_queries.game_by_id(connection, "game") == game
        assert game_queries.moves_of(connection, "game", up_to=9) == [move]


def test_a_tournament_is_read_as_it_was_stored(
    client: Client, players: tuple[int, int, int]
) -> None:
    stored = tournament(players[0])
    with client.database.writing() as connection:
        tournament_queries.add_tournament(connection, stored, [seat(players[0])])
        assert tournament_queries.tournament_by_id(connection, stored.id) == stored


@pytest.mark.parametrize("group", [None, 2])
def test_a_part_of_a_cup_is_nobodys(
    client: Client, players: tuple[int, int, int], group: int | None
) -> None:
    month = Month(2026, 12)
    part = replace(
        tournament(players[0]), cup=CupPart(month, group), status=TournamentStatus.PLAYING
    )
    with client.database.writing() as connection:
        connection.execute(insert(cups).values(month=month.key, variant="tinc", status="groups"))
        tournament_queries.add_tournament(connection, part, [seat(players[0])])
        found = tournament_queries.tournament_by_id(connection, part.id)
    assert found is not None
    assert (found.cup, found.announced_by, found.announcer) == (CupPart(month, group), None, "")


def test_a_subscription_and_an_address_are_read_as_they_were_stored_last(
    client: Client, players: tuple[int, int, int]
) -> None:
    alice, *_ = players
    first = Subscription(alice, "a@example.net", at(0), "key")
    last = Subscription(
        alice, "b@example.net", at(1), "other", TurnMail.OFF, 9, (MailKind.RESULTS,), "no"
    )
    pending = PendingAddress(alice, "c@example.net", at(2), 3, "third", "never")
    with client.database.writing() as connection:
        for each in (first, full(last)):
            mail_queries.save_subscription(connection, each)
            assert mail_queries.subscription_of(connection, alice) == each
        mail_queries.save_pending(connection, full(pending))
        assert mail_queries.pending_of(connection, alice) == pending


# What a mapper is made of


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True)
class Painted:
    id: int
    colour: Colour | None = None


PAINTINGS = Table(
    "paintings", MetaData(), Column("id", Integer, primary_key=True), Column("colour", String(8))
)


def test_an_enumeration_is_stored_by_its_values() -> None:
    mapper = Mapper(Painted, PAINTINGS)
    for painted, row in ((Painted(1, Colour.RED), (1, "red")), (Painted(1), (1, None))):
        assert mapper.read(row) == painted
        assert tuple(mapper.values(painted).values()) == row
    with pytest.raises(ValueError, match="mauve"):
        mapper.read((1, "mauve"))


def test_a_field_without_a_column_is_refused_unless_it_is_said_not_to_be_stored() -> None:
    @dataclass(frozen=True)
    class Signed:
        id: int
        signature: str = "none"

    with pytest.raises(TypeError, match=r"no column for Signed\.signature"):
        Mapper(Signed, PAINTINGS)
    assert Mapper(Signed, PAINTINGS, signature=None).read((1,)) == Signed(1)
    with pytest.raises(TypeError, match="Signed has no colour"):
        Mapper(Signed, PAINTINGS, colour=PAINTINGS.c.colour)
