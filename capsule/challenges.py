"""Games with a seat that is kept for somebody: challenges by name, and rematches.

A rematch is a challenge too, made from a game that has ended: the sides are changed, the
terms stay.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from capsule.game import (
    ABORTED,
    CHALLENGED,
    PLAYING,
    OutdatedAction,
    current,
    end,
    expect,
    game_at,
    store_change,
)
from capsule.refusal import Refused
from capsule.relations import BLOCK, are_apart
from capsule.seating import (
    MOST_UNFINISHED,
    NOBODY,
    Seat,
    count_action,
    expect_room,
    seats_for,
    set_up,
)
from capsule.store import games as stored
from capsule.store import lists as stored_lists
from capsule.store import players as stored_players
from capsule.store.names import player_called
from capsule.store.relations import kind_of_relation
from engine import Side
from engine.game import message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from capsule.game import Game
    from capsule.site import Site
    from capsule.store.games import StoredGame
    from capsule.store.players import Player
    from capsule.terms import Terms
    from engine import Variant


class ChallengeRefused(Refused):
    """A challenge that cannot be made; `message` says why."""


def challenge(site: Site, player: Player, variant: Variant, name: str, terms: Terms) -> str:
    """Challenge the player of that name and return the new game's id.

    Raises `ChallengeRefused` where nobody has the name, or the challenge is one too many;
    `OutdatedAction` and `TooManyGames` as starting a game does.
    """
    with site.store.writing() as connection:
        count_action(connection, player)
        expect_room(connection, player)
        other = _to_challenge(site, connection, player, name)
        return set_up(
            site,
            connection,
            variant,
            seats_for(site, terms.side, player, NOBODY),
            status=CHALLENGED,
            listed=False,
            lists_when_joined=terms.listed,
            days_a_move=terms.days,
            rated=terms.rated,
            challenged_player_id=other.id,
        )


def expect_to_challenge(site: Site, player: Player | None, name: str) -> None:
    """Raise `ChallengeRefused` where a player, or somebody new, cannot challenge that name."""
    with site.store.reading() as connection:
        _to_challenge(site, connection, player, name)


def accept(site: Site, player: Player, game_id: str, turn_counter: int) -> None:
    """Take the seat that is kept for the player."""
    with site.store.writing() as connection:
        game = expect(site, connection, game_id, turn_counter)
        _accept(connection, game, player)


def decline(site: Site, player: Player, game_id: str, turn_counter: int) -> None:
    """Turn down a challenge, which calls the game off."""
    with site.store.writing() as connection:
        game = expect(site, connection, game_id, turn_counter)
        if not game.may_answer_challenge(player):
            raise OutdatedAction
        end(connection, game, {"status": ABORTED})


def challenged_names(site: Site, games: Sequence[StoredGame]) -> Mapping[str, str]:
    """Return for whom a seat is kept in these games, by the games' ids."""
    kept = {
        game.id: game.challenged_player_id
        for game in games
        if game.status == CHALLENGED and game.challenged_player_id is not None
    }
    if not kept:
        return {}
    with site.store.reading() as connection:
        found = stored_players.names_of(connection, kept.values())
    return {game_id: found[player_id] for game_id, player_id in kept.items() if player_id in found}


def rematch_of(site: Site, game: Game) -> StoredGame | None:
    """Return the rematch that was offered last in a game that has ended."""
    if game.is_running or game.stored.next_id is None:
        return None
    with site.store.reading() as connection:
        return _rematch(site, connection, game)


def may_offer_rematch(game: Game, rematch: StoredGame | None, player: Player | None) -> bool:
    """Tell whether the player may offer a rematch, where `rematch` was offered last.

    Who has been turned down, or not been answered, does not offer again: the other may. A game of a
    tournament has no rematch: both its players' next games are there already.
    """
    if game.stored.tournament_id is not None:
        return False
    if player is None or game.is_running or game.is_solo or len(game.seats_of(player)) != 1:
        return False
    if _opponent(game, player) == NOBODY:
        return False
    return rematch is None or (rematch.status == ABORTED and not _sits(rematch, player))


def may_answer_rematch(rematch: StoredGame | None, player: Player | None) -> bool:
    """Tell whether the rematch that was offered waits for the player's answer."""
    return (
        rematch is not None
        and player is not None
        and rematch.status == CHALLENGED
        and rematch.challenged_player_id == player.id
    )


def is_on(rematch: StoredGame | None) -> bool:
    """Tell whether the rematch that was offered last has been taken up."""
    return rematch is not None and rematch.status != CHALLENGED and not _has_empty_seat(rematch)


def offer_rematch(site: Site, player: Player, game_id: str, turn_counter: int) -> str:
    """Offer a rematch after a game's end, and return the id of the game to look at next.

    A bot plays it at once; it is agreed where the opponent has offered one. Raises `TooManyGames`.
    """
    with site.store.writing() as connection:
        game, rematch = _expect_ended(site, connection, game_id, turn_counter)
        if rematch is not None and may_answer_rematch(rematch, player):
            _accept(connection, game_at(site, connection, rematch, rematch.ply), player)
            return rematch.id
        if not may_offer_rematch(game, rematch, player):
            raise OutdatedAction
        opponent = _opponent(game, player)
        if opponent.player_id and (
            are_apart(connection, player.id, opponent.player_id)
            or _is_banned(site, connection, opponent.player_id)
        ):
            raise OutdatedAction
        expect_room(connection, player, against_bots=opponent.bot is not None)
        other = opponent if opponent.bot else NOBODY
        own_side = "o" if Side.X in game.seats_of(player) else "x"
        new_id = set_up(
            site,
            connection,
            game.variant,
            seats_for(site, own_side, player, other),
            status=PLAYING if opponent.bot else CHALLENGED,
            listed=game.stored.listed and opponent.bot is not None,
            lists_when_joined=game.stored.listed,
            days_a_move=game.stored.days_a_move,
            rated=game.stored.rated,
            challenged_player_id=opponent.player_id,
            previous_id=game_id,
        )
        # Where an earlier offer came to nothing, no page that still shows it may answer this one.
        again = 0 if rematch is None else 1
        after = replace(game.stored, next_id=new_id, turn_counter=turn_counter + again)
        store_change(connection, game.stored, after)
        return new_id if opponent.bot else game_id


def accept_rematch(site: Site, player: Player, game_id: str, turn_counter: int) -> str:
    """Play the rematch that was offered after this game, and return its id."""
    with site.store.writing() as connection:
        _, rematch = _expect_ended(site, connection, game_id, turn_counter)
        if rematch is None or not may_answer_rematch(rematch, player):
            raise OutdatedAction
        _accept(connection, game_at(site, connection, rematch, rematch.ply), player)
        return rematch.id


def decline_rematch(site: Site, player: Player, game_id: str, turn_counter: int) -> None:
    """Turn down the rematch that was offered after this game."""
    with site.store.writing() as connection:
        _, rematch = _expect_ended(site, connection, game_id, turn_counter)
        if rematch is None or not may_answer_rematch(rematch, player):
            raise OutdatedAction
        game = game_at(site, connection, rematch, rematch.ply)
        end(connection, game, {"status": ABORTED})


def _to_challenge(site: Site, connection: Connection, player: Player | None, name: str) -> Player:
    name = name.strip()
    other = player_called(connection, name, site.clock())
    if other is None:
        raise ChallengeRefused(message("Nobody here is called {name}", name=name))
    if player is not None and other.id == player.id:
        raise ChallengeRefused(message("{name} is you", name=player.name))
    if other.is_banned(site.clock()):
        raise ChallengeRefused(
            message("{name} has been shut out and cannot answer", name=other.name)
        )
    if player is not None and are_apart(connection, player.id, other.id):
        raise ChallengeRefused(
            message("You have blocked {name}", name=other.name)
            if kind_of_relation(connection, player.id, other.id) == BLOCK
            else message("{name} plays no games with you", name=other.name)
        )
    known = current(
        site, connection, stored_lists.challenges_to(connection, other.id, MOST_UNFINISHED)
    )
    waiting = [game for game in known if game.status == CHALLENGED]
    if player is not None and any(_sits(game, player) for game in waiting):
        raise ChallengeRefused(
            message("{name} has not answered your last challenge yet", name=other.name)
        )
    if len(waiting) >= MOST_UNFINISHED:
        raise ChallengeRefused(message("{name} has too many challenges to answer", name=other.name))
    return other


def _is_banned(site: Site, connection: Connection, player_id: int) -> bool:
    player = stored_players.player_by_id(connection, player_id)
    return player is not None and player.is_banned(site.clock())


def _expect_ended(
    site: Site, connection: Connection, game_id: str, turn_counter: int
) -> tuple[Game, StoredGame | None]:
    found = stored.game_by_id(connection, game_id, to_change=True)
    if found is None:
        raise OutdatedAction
    game = game_at(site, connection, found, found.ply)
    if game.is_running or game.stored.turn_counter != turn_counter:
        raise OutdatedAction
    store_change(connection, found, game.stored)
    return game, _rematch(site, connection, game, to_change=True)


def _rematch(
    site: Site, connection: Connection, game: Game, *, to_change: bool = False
) -> StoredGame | None:
    if game.stored.next_id is None:
        return None
    found = stored.game_by_id(connection, game.stored.next_id, to_change=to_change)
    return current(site, connection, [found])[0] if found else None


def _accept(connection: Connection, game: Game, player: Player) -> None:
    side = game.kept_side
    if side is None or not game.may_answer_challenge(player):
        raise OutdatedAction
    challenger = game.stored.x_player_id or game.stored.o_player_id
    if challenger is not None and are_apart(connection, player.id, challenger):
        raise OutdatedAction
    values: dict[str, object] = {
        "x_player_id" if side is Side.X else "o_player_id": player.id,
        # The challenge was the other's offer of this turn: a page that still shows it must not
        # answer another.
        "o_offered_at_turn" if side is Side.X else "x_offered_at_turn": game.stored.turn_counter,
        "status": PLAYING,
        "listed": game.stored.lists_when_joined,
        "moved_at": game.now,
        "started_at": game.now,
    }
    stored.change_game(connection, game.stored.id, **values)


def _opponent(game: Game, player: Player) -> Seat:
    x = Seat(game.stored.x_player_id, game.stored.x_bot)
    o = Seat(game.stored.o_player_id, game.stored.o_bot)
    return o if x.player_id == player.id else x


def _has_empty_seat(game: StoredGame) -> bool:
    return game.challenged_player_id not in (game.x_player_id, game.o_player_id)


def _sits(game: StoredGame, player: Player) -> bool:
    return player.id in (game.x_player_id, game.o_player_id)
