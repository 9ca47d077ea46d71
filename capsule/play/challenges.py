"""Challenges, which reserve the other seat for one player, and rematches.

A rematch is a challenge from a game that has ended, on the same terms with the sides swapped.
"""

from dataclasses import dataclass, replace
from datetime import timedelta

from capsule.accounts import queries as account_queries
from capsule.accounts.model import Player, RelationKind
from capsule.context import AppContext, Transaction
from capsule.errors import OutdatedAction, Refused
from capsule.games import finish, list_queries, model, queries as game_queries, reading, visibility
from capsule.games.creation import create_game, new_game
from capsule.games.deadlines import apply_deadlines, store_expiry
from capsule.games.eligibility import MAX_UNFINISHED_GAMES, require_room
from capsule.games.game import Game, reason_in_words
from capsule.games.point_of_view import PointOfView, Spectator, require_view, view_of
from capsule.games.rated import is_surplus
from capsule.games.visibility import Listing, ListingChoice, Party
from capsule.languages.time_zones import local_time
from capsule.play.starting import Beginning, GameTerms, pace_of, seats_for, take_seat
from engine import Message, Side, Variant, message

PAUSE = timedelta(days=1)
"""The time after a declined challenge before either player can challenge the other again."""


class ChallengeRefused(Refused):
    """A challenge that cannot be made; `message` says why."""


def challenge(
    transaction: Transaction, player: Player, name: str, terms: GameTerms, beginning: Beginning
) -> str:
    """Challenge the player with this name, and return the new game's id.

    The game has these terms, and starts from the position of `beginning`. Raises `ChallengeRefused`
    if nobody has the name or the player cannot be challenged, and `TooManyGames` like
    `starting.start`.
    """
    context, connection, variant = transaction.context, transaction.connection, beginning.variant
    require_room(connection, player)
    other = _find_challengeable(transaction, player, name)
    require_taken(other, variant, pace_of(terms.days), rated=terms.rated)
    x, o = seats_for(context, terms.side, player, model.EMPTY_SEAT)
    game = replace(
        new_game(context, variant, x, o, model.GameStatus.CHALLENGED),
        lists_when_joined=terms.listed.with_people,
        lists_with_bots=terms.listed.with_bots,
        days_per_move=terms.days,
        rated=terms.rated,
        challenged=model.player_seat(other),
    )
    return create_game(connection, game, beginning.moves)


def require_taken(other: Player, variant: Variant, pace: str, *, rated: bool) -> None:
    """Raise `ChallengeRefused` if a player is a program that declines such challenges.

    `pace` is the time limit for a move, as `pace_of` writes it.
    """
    declined, named = set(other.settings.declines), {"name": other.name}
    if declined.issuperset({"rated", "casual"}):
        refusal_of_rating = message("{name} is a program and takes no challenges", **named)
    elif rated:
        refusal_of_rating = message("{name} is a program and plays casual games only", **named)
    else:
        refusal_of_rating = message("{name} is a program and plays rated games only", **named)
    refusals = {
        variant.key: message(
            "{name} is a program and does not play {variant}", **named, variant=variant.name
        ),
        pace: message("{name} is a program and does not accept that time limit", **named),
        "rated" if rated else "casual": refusal_of_rating,
    }
    for term, refusal in refusals.items():
        if other.is_program and term in declined:
            raise ChallengeRefused(refusal)


def require_together(transaction: Transaction, player: Player | None, other: Player) -> None:
    """Raise `ChallengeRefused` if the other player is banned, or either has blocked the other.

    `other` must not be a former player, and a `player` of None is a newcomer.
    """
    connection = transaction.connection
    if not other.is_present(transaction.now):
        raise ChallengeRefused(message("{name} is banned and cannot play", name=other.name))
    if player is not None and account_queries.is_blocked_between(connection, player.id, other.id):
        raise ChallengeRefused(
            message("You have blocked {name}", name=other.name)
            if account_queries.kind_of_relation(connection, player.id, other.id)
            is RelationKind.BLOCK
            else message("{name} plays no games with you", name=other.name)
        )


def decline(transaction: Transaction, player: Player, game: Game) -> None:
    """Decline a challenge: abort its game, and begin the pause before the two can challenge again.

    The transaction has locked the running game.
    """
    if not game.stored.is_challenge_to(player.id):
        raise OutdatedAction
    ending = model.Ending.aborted(model.EndReason.DECLINED, game.stored.reserved_side)
    aborted = game.stored.ended(ending, game.now)
    finish.finish(transaction.connection, game.stored, replace(aborted, declined=True))


def _find_challengeable(transaction: Transaction, player: Player, name: str) -> Player:
    connection, now = transaction.connection, transaction.now
    name = name.strip()
    other = account_queries.player_called(connection, name, now)
    if other is None:
        raise ChallengeRefused(message("Nobody here is called {name}", name=name))
    if other.id == player.id:
        raise ChallengeRefused(message("{name} is you", name=player.name))
    require_together(transaction, player, other)
    declined_at = game_queries.challenge_declined_since(
        connection, (player.id, other.id), now - PAUSE
    )
    if declined_at is not None:
        raise ChallengeRefused(
            message(
                "A challenge between you and {name} was declined. You can challenge {name} again "
                "on {when}",
                name=other.name,
                when=local_time(declined_at + PAUSE, player.settings.time_zone),
            )
        )
    received = list_queries.challenges_to(connection, other.id, MAX_UNFINISHED_GAMES)
    current = apply_deadlines(transaction, received)
    waiting = [game for game in current if game.status is model.GameStatus.CHALLENGED]
    if any(game.has_player(player.id) for game in waiting):
        raise ChallengeRefused(
            message("{name} has not answered your last challenge yet", name=other.name)
        )
    if len(waiting) >= MAX_UNFINISHED_GAMES:
        raise ChallengeRefused(
            message("{name} has too many unanswered challenges", name=other.name)
        )
    return other


def accept(
    transaction: Transaction, player: Player, game: Game, listing: Listing | None = None
) -> None:
    """Give the player the reserved seat; without a `listing`, the player's settings decide.

    Raises `OutdatedAction` if no seat is reserved for the player, and as
    `take_seat` does.
    """
    side = game.stored.reserved_side
    if side is None or not game.stored.is_challenge_to(player.id):
        raise OutdatedAction
    take_seat(transaction, player, game, side, listing)


@dataclass(frozen=True, slots=True)
class Rematch:
    """A game as one visitor sees it, and the rematch that was last offered after its end.

    `offered` is that rematch, None if there is none or the game is running. `is_rated` says whether
    the rematch would count for ratings if it began now.
    """

    game: Game
    offered: model.StoredGame | None
    player: Player | None
    view: PointOfView | Spectator
    is_rated: bool = False

    @property
    def may_offer(self) -> bool:
        """Whether the player may offer a rematch.

        After a declined or expired offer, only the opponent may offer again; after one that a ban
        ended, both may. A tournament game has no rematch: its players meet twice in the tournament
        anyway. A game with a former player has none either.
        """
        game, view = self.game.stored, self.view
        if game.is_running or game.is_solo or game.tournament_id is not None:
            return False
        if not view.is_seated or view.opponent.is_empty or view.opponent.player_name == "":
            return False
        is_free = self.was_ended_by_ban or not self.is_own_offer_over
        return self.offered is None or (self._is_over and is_free)

    @property
    def _is_over(self) -> bool:
        """Whether the rematch offered was not accepted."""
        return self.offered is not None and self.offered.was_aborted and not self.is_accepted

    @property
    def is_own_offer_over(self) -> bool:
        """Whether the player has offered a rematch that was not accepted."""
        return self._is_over and self._side_in_offered is not None

    @property
    def _side_in_offered(self) -> Side | None:
        if self.offered is None or self.player is None:
            return None
        return self.offered.side_of(self.player.id)

    @property
    def end_reason(self) -> Message | None:
        """Why the rematch offered was not accepted; None if no reason was stored."""
        side = self._side_in_offered
        return None if self.offered is None else reason_in_words(self.offered, side)

    @property
    def was_ended_by_ban(self) -> bool:
        """Whether a ban ended the rematch offered."""
        return self.offered is not None and self.offered.end_reason is model.EndReason.BANNED

    @property
    def may_answer(self) -> bool:
        """Whether the rematch offered awaits the player's answer."""
        if self.offered is None or self.player is None:
            return False
        return self.offered.is_challenge_to(self.player.id)

    @property
    def is_waiting(self) -> bool:
        """Whether the rematch offered awaits an answer."""
        return self.offered is not None and self.offered.status is model.GameStatus.CHALLENGED

    @property
    def is_accepted(self) -> bool:
        """Whether the rematch offered has been accepted."""
        offered = self.offered
        if offered is None or self.is_waiting:
            return False
        return offered.challenged_player_id in (offered.x.player_id, offered.o.player_id)

    @property
    def usual_listing(self) -> Listing:
        """The default listing of a rematch that the player offers: that of the game.

        Against a person, the rematch is not listed if the player's own default is not to be.
        """
        stored = self.game.stored
        if not stored.listed:
            return Listing.NONE
        has_program = any(seat.is_program or seat.bot for seat in stored.seats.values())
        declines = not (has_program or visibility.usual_listing(self.player).with_people)
        return Listing.NONE if declines else Listing.ALL

    @property
    def listing(self) -> ListingChoice:
        """The choice of a listing that the player has when offering or accepting the rematch."""
        if self.offered is not None and self.may_answer:
            return visibility.choice_of(self.offered, self.player)
        return ListingChoice(may_be=True, usually=self.usual_listing is Listing.ALL)

    @property
    def comes_first(self) -> bool:
        """Whether the page begins with the rematch, which awaits an answer or is accepted."""
        return self.may_answer or self.is_accepted


def rematch_of(transaction: Transaction, game: Game, player: Player | None) -> Rematch:
    """Return the state of a game's rematch, as a visitor sees it."""
    offered = None if game.is_running else _offered_rematch(transaction, game)
    x, o = (game.stored.seat(side).player_id for side in Side)
    is_rated = (
        not game.is_running
        and game.stored.rated
        and not is_surplus(transaction, game.variant, x, o)
    )
    return Rematch(game, offered, player, view_of(game, player), is_rated)


def offer_rematch(
    transaction: Transaction,
    player: Player,
    stored: model.StoredGame,
    listing: Listing | None = None,
) -> str:
    """Offer a rematch after a game's end, and return the id of the game to show next.

    The transaction has locked the game. Without a `listing`, the usual one applies. A rematch with
    a bot starts at once, and so does one that the opponent has already offered. Raises
    `OutdatedAction` if no rematch can be offered, `ChallengeRefused` if the opponent is erased or
    banned, if one of the two has blocked the other or if a program accepts no such challenges, and
    `TooManyGames`.
    """
    connection = transaction.connection
    rematch = _lock_rematch(transaction, player, stored)
    if rematch.may_answer:
        return _accept(transaction, rematch, player, listing)
    view = require_view(rematch.game, player)
    _require_willing(transaction, player, view)
    if not rematch.may_offer:
        raise OutdatedAction
    is_with_bot = view.opponent.bot is not None
    require_room(connection, player, against_bots=is_with_bot)
    ended = rematch.game.stored
    opening_moves = game_queries.moves_of(connection, ended.id, up_to=ended.start_ply)
    host = visibility.guest(player, listing or rematch.usual_listing)
    game = _new_rematch(transaction.context, view, host)
    new_id = create_game(connection, game, [each.move for each in opening_moves])
    # A link on a page that shows an earlier, failed offer must not answer this one.
    turn_increment = 0 if rematch.offered is None else 1
    after = replace(ended, next_id=new_id, turn_counter=ended.turn_counter + turn_increment)
    game_queries.save_changes(connection, ended, after)
    return new_id if is_with_bot else ended.id


def accept_rematch(
    transaction: Transaction,
    player: Player,
    stored: model.StoredGame,
    listing: Listing | None = None,
) -> str:
    """Accept the rematch offered after a game that the transaction has locked, and return its id.

    Raises `OutdatedAction` if none is on offer, and `TooManyGames`.
    """
    return _accept(transaction, _lock_rematch(transaction, player, stored), player, listing)


def decline_rematch(transaction: Transaction, player: Player, stored: model.StoredGame) -> None:
    """Decline the rematch offered after a game that the transaction has locked."""
    offered = _offered_to(_lock_rematch(transaction, player, stored))
    game = reading.load_game(transaction, offered)
    ending = model.Ending.aborted(model.EndReason.DECLINED, offered.reserved_side)
    finish.end(transaction.connection, game, ending)


def _accept(
    transaction: Transaction, rematch: Rematch, player: Player, listing: Listing | None
) -> str:
    offered = _offered_to(rematch)
    game = reading.load_game(transaction, offered)
    accept(transaction, player, game, listing)
    return offered.id


def _offered_to(rematch: Rematch) -> model.StoredGame:
    """Return the rematch that awaits the player's answer; raises `OutdatedAction`."""
    if rematch.offered is None or not rematch.may_answer:
        raise OutdatedAction
    return rematch.offered


def _new_rematch(context: AppContext, view: PointOfView, host: Party) -> model.StoredGame:
    """Return the rematch on the game's terms: a bot is seated, a person's seat is reserved."""
    stored, bot = view.game.stored, view.opponent.bot
    own = model.Seat(player_id=view.seat.player_id)
    other = model.Seat(bot=bot) if bot else model.EMPTY_SEAT
    x, o = (other, own) if view.side is Side.X else (own, other)
    status = model.GameStatus.PLAYING if bot else model.GameStatus.CHALLENGED
    return replace(
        new_game(context, stored.variant, x, o, status),
        listed=bot is not None and visibility.is_listed(host, visibility.party(other)),
        lists_when_joined=host.listing.with_people,
        lists_with_bots=host.listing.with_bots,
        days_per_move=stored.days_per_move,
        rated=stored.rated,
        challenged=model.Seat(player_id=view.opponent.player_id),
        previous_id=stored.id,
    )


def _require_willing(transaction: Transaction, player: Player, view: PointOfView) -> None:
    """Raise `ChallengeRefused` if the opponent may not or will not play the player."""
    opponent, game = view.opponent, view.game.stored
    if opponent.player_id is None:
        return
    other = account_queries.player_by_id(transaction.connection, opponent.player_id)
    if other is None or not other.name:
        raise ChallengeRefused(message("A former player plays no more games"))
    require_together(transaction, player, other)
    require_taken(other, game.variant, pace_of(game.days_per_move), rated=game.rated)


def _lock_rematch(transaction: Transaction, player: Player, stored: model.StoredGame) -> Rematch:
    """Return the rematch of an ended game; the transaction has locked both.

    Raises `OutdatedAction` if the game is running.
    """
    game = reading.load_game(transaction, stored)
    if game.is_running:
        raise OutdatedAction
    store_expiry(transaction.connection, stored, game.stored)
    offered = _offered_rematch(transaction, game, to_change=True)
    return Rematch(game, offered, player, view_of(game, player))


def _offered_rematch(
    transaction: Transaction, game: Game, *, to_change: bool = False
) -> model.StoredGame | None:
    connection, next_id = transaction.connection, game.stored.next_id
    stored = next_id and game_queries.game_by_id(connection, next_id, to_change=to_change)
    return apply_deadlines(transaction, [stored])[0] if stored else None
