"""Challenges: games with a seat kept for a player who is challenged by name."""

from dataclasses import replace
from datetime import timedelta

import sqlalchemy as sa

from capsule.accounts.model import Player, RelationKind
from capsule.accounts.queries import is_blocked_between, kind_of_relation, player_called
from capsule.context import AppContext, Transaction
from capsule.errors import OutdatedAction, Refused
from capsule.games import list_queries, queries as game_queries, rated
from capsule.games.creation import create_game, new_game
from capsule.games.deadlines import apply_deadlines
from capsule.games.eligibility import MAX_UNFINISHED_GAMES, require_room
from capsule.games.finish import finish
from capsule.games.game import Game
from capsule.games.model import EMPTY_SEAT, Ending, EndReason, GameStatus, player_seat
from capsule.games.visibility import Listing, guest, host_of, is_listed
from capsule.languages.time_zones import local_time
from capsule.play.terms import Beginning, GameTerms, seats_for
from engine import Variant
from engine.game import message

PAUSE = timedelta(days=1)
"""The time after a declined challenge before either player can challenge the other again."""


class ChallengeRefused(Refused):
    """A challenge that cannot be made; `message` says why."""


def challenge(
    transaction: Transaction, player: Player, name: str, terms: GameTerms, beginning: Beginning
) -> str:
    """Challenge the player of that name and return the new game's id.

    `beginning` is where the terms let the game begin. Raises `ChallengeRefused` if nobody has the
    name or the player cannot be challenged, and `TooManyGames` like `starting.start`.
    """
    context, connection = transaction.context, transaction.connection
    variant = beginning.variant
    require_room(connection, player)
    other = _find_challengeable(context, connection, player, name)
    require_taken(other, variant, terms.pace, rated=terms.rated)
    x, o = seats_for(context, terms.side, player, EMPTY_SEAT)
    game = replace(
        new_game(context, variant, x, o, GameStatus.CHALLENGED),
        lists_when_joined=terms.listed.with_people,
        lists_with_bots=terms.listed.with_bots,
        days_per_move=terms.days,
        rated=terms.rated,
        challenged=player_seat(other),
    )
    return create_game(connection, game, beginning.moves)


def require_opponent(transaction: Transaction, player: Player | None, name: str) -> None:
    """Raise `ChallengeRefused` if the player of that name is banned, or a block is between the two.

    A name that nobody has is refused when it is challenged.
    """
    other = player_called(transaction.connection, name, transaction.now)
    if other is not None:
        require_together(transaction.context, transaction.connection, player, other)


def require_taken(other: Player, variant: Variant, pace: str, *, rated: bool) -> None:
    """Raise `ChallengeRefused` if a player is a program that does not take such challenges.

    `pace` is the time limit for a move as terms have it.
    """
    if not other.is_program:
        return
    declined = set(other.settings.declines)
    if variant.key in declined:
        raise ChallengeRefused(
            message(
                "{name} is a program and does not play {variant}",
                name=other.name,
                variant=variant.name,
            )
        )
    if pace in declined:
        raise ChallengeRefused(
            message("{name} is a program and does not accept that time limit", name=other.name)
        )
    if declined.issuperset({"rated", "casual"}):
        raise ChallengeRefused(
            message("{name} is a program and takes no challenges", name=other.name)
        )
    if "rated" in declined and rated:
        raise ChallengeRefused(
            message("{name} is a program and plays casual games only", name=other.name)
        )
    if "casual" in declined and not rated:
        raise ChallengeRefused(
            message("{name} is a program and plays rated games only", name=other.name)
        )


def require_together(
    context: AppContext, connection: sa.Connection, player: Player | None, other: Player
) -> None:
    """Raise `ChallengeRefused` if another is banned, or one of the two has blocked the other.

    `other` has a name, and a `player` of None is a newcomer.
    """
    if not other.is_present(context.clock()):
        raise ChallengeRefused(message("{name} is banned and cannot play", name=other.name))
    if player is not None and is_blocked_between(connection, player.id, other.id):
        raise ChallengeRefused(
            message("You have blocked {name}", name=other.name)
            if kind_of_relation(connection, player.id, other.id) is RelationKind.BLOCK
            else message("{name} plays no games with you", name=other.name)
        )


def decline(transaction: Transaction, player: Player, game: Game) -> None:
    """Decline a challenge, which calls the game off and begins a pause between the two players.

    The transaction holds the running game.
    """
    if not game.may_answer_challenge(player):
        raise OutdatedAction
    ending = Ending.aborted(EndReason.DECLINED, game.stored.reserved_side)
    aborted = game.stored.ended(ending, game.now)
    finish(transaction.connection, game.stored, replace(aborted, declined=True))


def _find_challengeable(
    context: AppContext, connection: sa.Connection, player: Player | None, name: str
) -> Player:
    name = name.strip()
    other = player_called(connection, name, context.clock())
    if other is None:
        raise ChallengeRefused(message("Nobody here is called {name}", name=name))
    if player is not None and other.id == player.id:
        raise ChallengeRefused(message("{name} is you", name=player.name))
    require_together(context, connection, player, other)
    if player is not None:
        _require_no_pause(context, connection, player, other)
    received = apply_deadlines(
        context, connection, list_queries.challenges_to(connection, other.id, MAX_UNFINISHED_GAMES)
    )
    waiting = [game for game in received if game.status is GameStatus.CHALLENGED]
    if player is not None and any(game.has_player(player.id) for game in waiting):
        raise ChallengeRefused(
            message("{name} has not answered your last challenge yet", name=other.name)
        )
    if len(waiting) >= MAX_UNFINISHED_GAMES:
        raise ChallengeRefused(
            message("{name} has too many unanswered challenges", name=other.name)
        )
    return other


def _require_no_pause(
    context: AppContext, connection: sa.Connection, player: Player, other: Player
) -> None:
    since = context.clock() - PAUSE
    declined_at = game_queries.challenge_declined_since(connection, (player.id, other.id), since)
    if declined_at is not None:
        raise ChallengeRefused(
            message(
                "A challenge between you and {name} was declined. You can challenge {name} again "
                "on {when}",
                name=other.name,
                when=local_time(declined_at + PAUSE, player.time_zone),
            )
        )


def accept(
    transaction: Transaction, player: Player, game: Game, listing: Listing | None = None
) -> None:
    """Give the player the seat that is kept for them, in a transaction that holds the game.

    `listing` is None for what the player has set.

    Raises `OutdatedAction` if there is none, or if one of the two players has blocked the other,
    and `TooManyGames` if the player has too many unfinished games.
    """
    connection, stored = transaction.connection, game.stored
    side = stored.reserved_side
    if side is None or not game.may_answer_challenge(player):
        raise OutdatedAction
    challenger = stored.seat(side.other)
    if challenger.player_id is not None and is_blocked_between(
        connection, player.id, challenger.player_id
    ):
        raise OutdatedAction
    require_room(connection, player)
    accepted = stored.with_seat(side, player_seat(player))
    accepted = replace(
        accepted,
        status=GameStatus.PLAYING,
        listed=is_listed(host_of(stored), guest(player, listing)),
        moved_at=game.now,
        started_at=game.now,
    )
    game_queries.save_changes(connection, stored, rated.as_begun(connection, accepted))
