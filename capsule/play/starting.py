"""Starting games, and joining games with an open seat."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from enum import StrEnum

from capsule.accounts.model import Player
from capsule.accounts.queries import is_blocked_between
from capsule.context import Transaction
from capsule.errors import OutdatedAction, Refused
from capsule.games import list_queries, player_queries, queries as game_queries, rated
from capsule.games.creation import create_game, new_game
from capsule.games.deadlines import apply_deadlines
from capsule.games.eligibility import TooManyGames, require_room, require_room_to_offer
from capsule.games.game import Game
from capsule.games.list_queries import ListPlace
from capsule.games.model import GameStatus, Seat, StoredGame, player_seat
from capsule.games.public_lists import place_of
from capsule.games.visibility import Listing, guest, host_of, is_listed, party
from capsule.play.terms import Beginning, GameTerms, seats_for
from capsule.social.rate_limit import RateLimit
from engine import Side
from engine.bots.levels import LEVELS
from engine.bots.registry import levels_of
from engine.game import message


class Invitation(StrEnum):
    """The people to whom the other seat of a new game is open; the values appear in addresses."""

    INVITE = "invite"
    """Anyone who has the game's address."""

    OPEN = "open"
    """Anyone: the game is listed."""

    SOLO = "solo"
    """Nobody: the player has both seats."""


BOT = "bot-"
"""The prefix of a bot's level in an address."""

WAYS = (*Invitation, *(f"{BOT}{level}" for level in LEVELS))
"""The ways to start a game, as they appear in addresses; no variant need have every level."""


SEATS_A_DAY = RateLimit(
    10,
    timedelta(days=1),
    message(
        "You have taken {count} open seats within 24 hours, the most allowed. "
        "You can take the next one on {when}"
    ),
)
"""Open seats that a player may take: challenges, rematches and tournaments are no such seats."""

SPARE_CANDIDATES = 6
"""Games examined beyond those wanted."""


def seats_to_take(
    transaction: Transaction,
    player: Player | None,
    variant: str | None,
    limit: int,
    place: ListPlace | None = None,
) -> tuple[Sequence[StoredGame], ListPlace | None]:
    """Return up to `limit` listed games of a variant with a seat for the player.

    They begin after a place in the list of open seats, or at its head; the place from which the
    list continues is returned too, None at its end. `variant` is None for any, and `player` for a
    newcomer. The player's own games are left out, as are those of players whom a block separates
    from this one, in either direction.
    """
    player_id = None if player is None else player.id
    # Some of them may just have lapsed.
    candidates = limit + SPARE_CANDIDATES
    stored = list_queries.open_seats(transaction.connection, variant, place, candidates, player_id)
    waiting = [
        game for game in apply_deadlines(transaction, stored) if game.status is GameStatus.WAITING
    ]
    shown, more = waiting[:limit], waiting[limit:]
    last = shown[-1] if more else stored[-1] if len(stored) == candidates else None
    return shown, None if last is None else place_of(last, newer=False)


def games_offered_by(transaction: Transaction, player: Player, limit: int) -> Sequence[StoredGame]:
    """Return the player's games with an open seat, the latest first."""
    waiting = list_queries.games_of_player(
        transaction.connection, player.id, (GameStatus.WAITING,), limit
    )
    still = apply_deadlines(transaction, waiting)
    return [each for each in still if each.open_side is not None]


def is_newcomer(transaction: Transaction, player: Player | None) -> bool:
    """Return whether a player has no finished game yet; None is a visitor who is not a player.

    Newcomers' games against bots are casual: nobody is rated by a first look at a game.
    """
    if player is None:
        return True
    return not game_queries.has_decided_game(transaction.connection, player.id)


class TermsNotOffered(Refused):
    """A link with terms that no page has written."""

    def __init__(self) -> None:
        super().__init__(message("That link has terms that are not offered"))


def start(
    transaction: Transaction, player: Player, way: str, terms: GameTerms, beginning: Beginning
) -> str:
    """Start a game on these terms, in one of the `WAYS`, and return its id.

    The game begins at `beginning`, as the terms say. Only games between people have a clock, and a
    newcomer's against a bot is casual. Raises `OutdatedAction` if the variant has no such level,
    `TermsNotOffered` if no such game can be open to anyone, and `TooManyGames` if the player has
    too many unfinished games, or offers too many.
    """
    context, connection = transaction.context, transaction.connection
    variant = beginning.variant
    bot = way.removeprefix(BOT) if way.startswith(BOT) else None
    is_solo, is_open = way == Invitation.SOLO, way == Invitation.OPEN
    is_between_people = bot is None and not is_solo
    if bot is not None and bot not in levels_of(variant.key):
        raise OutdatedAction
    if is_open and beginning.moves:
        # A player who takes an open seat expects to begin at the start.
        raise TermsNotOffered
    require_room(connection, player, against_bots=bot is not None)
    if is_open:
        require_room_to_offer(connection, player)
    other = Seat(player_id=player.id if is_solo else None, bot=bot)
    x, o = seats_for(context, terms.side, player, other)
    listing = terms.listed
    if is_open and listing is Listing.NONE:
        # It means what it meant in releases that listed every game with a seat for anyone.
        listing = Listing.ALL
    lists_at_once = is_listed(guest(player, listing), None if is_solo else party(other))
    is_casual = is_solo or (bot is not None and is_newcomer(transaction, player))
    status = GameStatus.WAITING if is_between_people else GameStatus.PLAYING
    game = replace(
        new_game(context, variant, x, o, status),
        listed=is_open or (lists_at_once and not is_between_people),
        lists_when_joined=listing.with_people,
        lists_with_bots=listing.with_bots,
        days_per_move=terms.days if is_between_people else None,
        rated=terms.rated and not is_casual,
    )
    return create_game(connection, game, beginning.moves)


def join(
    transaction: Transaction, player: Player, game: Game, listing: Listing | None = None
) -> None:
    """Give the player the open seat; `listing` is None for what they have set.

    Raises `OutdatedAction` if the game has no open seat or the player has a seat already, and as
    `take_seat` does.
    """
    side = game.stored.open_side
    if side is None or game.stored.has_player(player.id):
        raise OutdatedAction
    take_seat(transaction, player, game, side, listing)


def take_seat(
    transaction: Transaction, player: Player, game: Game, side: Side, listing: Listing | None
) -> None:
    """Give the player an open or a reserved seat of a running game that the transaction holds.

    Raises `OutdatedAction` if one of the two players has blocked the other, and `TooManyGames` if
    the player has too many unfinished games, or has taken too many open seats within a day.
    """
    connection, now, stored = transaction.connection, transaction.now, game.stored
    host = stored.seat(side.other).player_id
    if host is not None and is_blocked_between(connection, player.id, host):
        raise OutdatedAction
    require_room(connection, player)
    is_open = side is stored.open_side
    if is_open:
        taken = player_queries.seats_taken_by(player.id)
        reason = SEATS_A_DAY.refusal(connection, player, taken, now)
        if reason is not None:
            raise TooManyGames(reason)
    begun = replace(
        stored.with_seat(side, player_seat(player)),
        status=GameStatus.PLAYING,
        seat_taken_by=player.id if is_open else None,
        listed=is_listed(host_of(stored), guest(player, listing)),
        # Lists of games are sorted by `moved_at`, and an arrival counts as an event there.
        moved_at=now,
        started_at=now,
    )
    game_queries.save_changes(connection, stored, rated.as_begun(connection, begun))
