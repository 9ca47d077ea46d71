"""The rules of a season: which games and positions earn points, and how the table is sorted.

A season is a calendar month in UTC. An event counts on the day when it happened, however late it
is stored. The table freezes some days after the month, so that late bans and erasures count.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

from capsule.games.model import GameStatus, StoredGame
from capsule.languages.dates import Month
from engine import Side

WIN, DRAW, LOSS, LOSS_ON_TIME = 3, 2, 1, 0
"""The points of a game against a person."""

DAILY_POINTS, BOT_POINTS = 1, 1
"""The points of a position of the day, and of a day's first win against a bot."""

MIN_PLIES = 6
"""The moves of the shortest game that counts, unless it was won on the board."""

GAMES_A_DAY, GAMES_A_MONTH = 2, 6
"""The numbers of games between the same two people that count."""

FREEZES_AFTER = timedelta(days=3)
"""The time after the end of a month for which bans and erasures still change its table."""


class EventKind(StrEnum):
    """The kinds of events that may earn points; the values are those in the database."""

    GAME = "game"
    """A game against a person."""

    BOT = "bot"
    """A whole game won against a bot."""

    DAILY = "daily"
    """The position of the day, found on its day."""


@dataclass(frozen=True, slots=True)
class SeasonEvent:
    """A game or a position that may earn a player points, within the limits of a day and a month.

    `source` is the id of the game or the day of the position, and `opponent_id` the other person.
    """

    player_id: int
    kind: EventKind
    source: str
    happened_at: datetime
    points: int
    opponent_id: int | None = None

    @property
    def day(self) -> date:
        """The day on which it counts, in UTC."""
        return self.happened_at.astimezone(UTC).date()

    @property
    def month(self) -> Month:
        """The month in which it counts."""
        return Month.of(self.happened_at)


@dataclass(frozen=True, slots=True)
class Standing:
    """The points of a player in a month, the games that counted, and when the last point came."""

    points: int
    games: int
    reached_at: datetime

    @property
    def sort_key(self) -> int:
        """The number by which the table is sorted, the highest first.

        More points come first, then fewer games, then who reached the points earlier, by
        milliseconds.

        >>> at = datetime(2026, 11, 5, tzinfo=UTC)
        >>> Standing(9, 4, at).sort_key > Standing(9, 5, at).sort_key > Standing(8, 3, at).sort_key
        True
        """
        left = Month.of(self.reached_at).after.begins_at - self.reached_at
        games_spared = max(_MOST_GAMES - self.games, 0)
        return (self.points * 10**4 + games_spared) * 10**10 + left // timedelta(milliseconds=1)


_MOST_GAMES = 9_999
"""The number of games beyond which fewer are no better."""


def freezes_at(month: Month) -> datetime:
    """Return when the table of a month freezes."""
    return month.after.begins_at + FREEZES_AFTER


def open_months(now: datetime) -> Sequence[Month]:
    """Return the months whose tables may still change, the newest first.

    >>> [month.key for month in open_months(datetime(2026, 12, 3, 23, 59, tzinfo=UTC))]
    ['2026-12', '2026-11']
    >>> [month.key for month in open_months(datetime(2026, 12, 4, tzinfo=UTC))]
    ['2026-12']
    """
    month = Month.of(now)
    return (month, month.before) if now < freezes_at(month.before) else (month,)


def is_whole(game: StoredGame) -> bool:
    """Return whether a game was played from its start to a result, without hints or takebacks.

    It was won on the board, or had a few moves at least.
    """
    is_played_out = game.status is GameStatus.FINISHED and game.winner is not None
    return (
        game.points is not None
        and game.start_ply == 0
        and game.takebacks == 0
        and game.hints == 0
        and (is_played_out or game.plies_played >= MIN_PLIES)
    )


def events_between(game: StoredGame) -> Iterator[SeasonEvent]:
    """Yield the events of a whole game between two people, one for each of them.

    Programs are no people.
    """
    ended_at = game.ended_at
    seats = game.seats
    is_of_people = game.is_between_people and not any(seat.is_program for seat in seats.values())
    if ended_at is None or not is_of_people or not is_whole(game):
        return
    for side, seat in seats.items():
        if seat.player_id is not None:
            opponent = game.seat(side.other).player_id
            points = _points_of(game, side)
            yield SeasonEvent(seat.player_id, EventKind.GAME, game.id, ended_at, points, opponent)


def _points_of(game: StoredGame, side: Side) -> int:
    if game.winner is None:
        return DRAW
    if game.winner is side:
        return WIN
    return LOSS_ON_TIME if game.status is GameStatus.TIMED_OUT else LOSS


def event_against_bot(game: StoredGame) -> tuple[SeasonEvent, str] | None:
    """Return the event of a whole game that a player won against a bot, and the bot's level."""
    winner = game.winner
    if winner is None or game.ended_at is None or not is_whole(game):
        return None
    player_id, level = game.seat(winner).player_id, game.seat(winner.other).bot
    if player_id is None or level is None:
        return None
    return SeasonEvent(player_id, EventKind.BOT, game.id, game.ended_at, BOT_POINTS), level


def standing_of(events: Iterable[SeasonEvent]) -> Standing | None:
    """Return the standing that follows from a player's events in a month; None without points."""
    counted = [*counted_events(events)]
    scoring = [each.happened_at for each in counted if each.points]
    if not scoring:
        return None
    return Standing(
        points=sum(each.points for each in counted),
        games=sum(each.kind is not EventKind.DAILY for each in counted),
        reached_at=max(scoring),
    )


def counted_events(events: Iterable[SeasonEvent]) -> Iterator[SeasonEvent]:
    """Yield those events of a player in a month that count, in the order in which they happened.

    Of the games against one person the first of each day count, up to those of a month. Of the
    games against bots, and of the positions, the first of each day counts.
    """
    in_month: Counter[int | None] = Counter()
    on_day: defaultdict[tuple[EventKind, int | None], Counter[date]] = defaultdict(Counter)
    for event in sorted(events, key=lambda each: (each.happened_at, each.source)):
        is_game = event.kind is EventKind.GAME
        today = on_day[event.kind, event.opponent_id]
        if today[event.day] >= (GAMES_A_DAY if is_game else 1):
            continue
        if is_game and in_month[event.opponent_id] >= GAMES_A_MONTH:
            continue
        today[event.day] += 1
        in_month[event.opponent_id] += is_game
        yield event
