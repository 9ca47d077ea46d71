"""A game's events as entries of feeds, public and private, and their permanent addresses."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from capsule.accounts.model import NewsKind
from capsule.games.clock import HOUR, Clock
from capsule.games.game import reason_in_words
from capsule.games.model import GameStatus, StoredGame, StoredMove
from capsule.languages.dates import in_words
from capsule.ui.atom import Entry, Feed, FeedKind, newest_entries
from engine import Message, Side, in_context, message, plural


def turn_address(game: StoredGame) -> str:
    """Return the address of the turn that comes now."""
    return turn_address_after(game, game.ply, game.turn_counter - game.ply)


def turn_address_after(game: StoredGame, ply: int, takebacks: int) -> str:
    """Return the address of the turn after `ply` moves, the last of them stored with `takebacks`.

    That number is the difference between a game's turn counter and its moves.
    """
    turn = f"turn-{ply + 1}"
    return event_address(game, f"{turn}-{takebacks}" if takebacks else turn)


def challenge_address(game: StoredGame) -> str:
    """Return the address of the challenge with which a game begins."""
    return event_address(game, "challenge")


def draw_address(game: StoredGame) -> str:
    """Return the address of the draw that is offered now."""
    return event_address(game, f"draw-{game.turn_counter}")


def takeback_address(game: StoredGame) -> str:
    """Return the address of the takeback that is requested now."""
    return event_address(game, f"takeback-{game.turn_counter}")


def end_address(game: StoredGame) -> str:
    """Return the address of the end of a game."""
    return event_address(game, "end")


def page_address(game: StoredGame, side: Side | None, *, is_turn: bool) -> str:
    """Return the address of a game's page for the player of a side, who may be to move.

    It is a new one each time that the game waits for the player, and at the end: a browser that
    caches pages by address thus never shows an outdated one.
    """
    if not game.is_running:
        return end_address(game)
    if side is not None and game.reserved_side is side:
        return challenge_address(game)
    if side is not None and game.draw_offered_by is side.other:
        return draw_address(game)
    if side is not None and game.takeback_asked_by is side.other:
        return takeback_address(game)
    return turn_address(game) if is_turn else f"/play/{game.id}"


def event_address(game: StoredGame, event: str) -> str:
    """Return the address of another event of a game."""
    return f"/play/{game.id}?{event}"


_WITHOUT_WINNER = {
    GameStatus.ABORTED: message("Aborted: {variant}, {x} – {o}"),
    GameStatus.AGREED: message("{x} and {o} agree on a draw in {variant}"),
    GameStatus.FINISHED: message("{x} and {o} draw in {variant}"),
}
_VICTORIES = {
    GameStatus.RESIGNED: message("{winner} beats {loser} at {variant} by resignation"),
    GameStatus.TIMED_OUT: message("{winner} beats {loser} at {variant} on time"),
    GameStatus.FINISHED: message("{winner} beats {loser} at {variant}"),
}


def beginning(game: StoredGame) -> Iterator[Entry]:
    """Yield the entry of a game that has begun or waits for a player, if it is such a game."""
    place, offered_by = address(game.id, game.start_ply), game.vacant_side
    if offered_by is not None:
        host, variant = _name(game, offered_by.other), game.variant.name
        title = (
            message("{host} is looking for an opponent in {variant}", host=host, variant=variant)
            if game.open_side
            else message(
                "{host} challenges {challenged} to a game of {variant}",
                host=host,
                challenged=game.challenged.name,
                variant=variant,
            )
        )
        yield Entry(f"{place}?seat", game.created_at, title)
        return
    if game.x.is_empty or game.o.is_empty:
        return
    title = message(
        "{variant} begins: {x} – {o}",
        variant=game.variant.name,
        x=_name(game, Side.X),
        o=_name(game, Side.O),
    )
    yield Entry(place, game.started_at or game.created_at, title)


def move_entry(game: StoredGame, move: StoredMove) -> Entry:
    """Return the entry of a move."""
    title = message(
        "Move {number}: {player} plays {move}",
        number=move.ply,
        player=_player(game, move.side),
        move=move.move,
    )
    return Entry(address(game.id, move.ply, move.takebacks), move.played_at, title)


def ending(game: StoredGame) -> Entry:
    """Return the entry of a game's end."""
    return Entry(
        f"/play/{game.id}", game.ended_at or game.moved_at, _ending_title(game), end_address(game)
    )


def game_feed(game: StoredGame, moves: Iterable[StoredMove]) -> Feed:
    """Return the feed of a game: its beginning, its last moves and its end."""
    title = message(
        "{variant}: {x} – {o}",
        variant=game.variant.name,
        x=_player(game, Side.X),
        o=_player(game, Side.O),
    )
    entries = [*beginning(game), *(move_entry(game, move) for move in moves)]
    if not game.is_running:
        entries.append(ending(game))
    home = f"/play/{game.id}"
    return Feed(FeedKind.GAME, f"{home}/feed", home, title, newest_entries(entries))


def address(game_id: str, ply: int, takebacks: int = 0) -> str:
    """Return the address of the position after `ply` moves, set apart from those taken back."""
    place = f"/play/{game_id}/{ply}"
    return f"{place}?{takebacks}" if takebacks else place


def _ending_title(game: StoredGame) -> Message:
    names = {"variant": game.variant.name, "x": _name(game, Side.X), "o": _name(game, Side.O)}
    reason = reason_in_words(game)
    if reason is not None:
        return message("Aborted: {variant}, {x} – {o}: {reason}", **names, reason=reason)
    if game.winner is None:
        return _WITHOUT_WINNER[game.status].filled(**names)
    names |= {"winner": _name(game, game.winner), "loser": _name(game, game.winner.other)}
    return _VICTORIES[game.status].filled(**names)


def _name(game: StoredGame, side: Side) -> Message | str:
    # Readers of feeds cut titles off, so these do without the sides.
    return game.holder(side).name or in_context("in the place of a player", "open seat")


def _player(game: StoredGame, side: Side) -> Message:
    name, side_name = _name(game, side), game.variant.side_name(side)
    return message("{name} ({side})", name=name, side=side_name)


_WON = {
    GameStatus.FINISHED: message("Won against {opponent}, {variant}"),
    GameStatus.RESIGNED: message("Won against {opponent} by resignation, {variant}"),
    GameStatus.TIMED_OUT: message("Won against {opponent} on time, {variant}"),
}
_LOST = {
    GameStatus.FINISHED: message("Lost to {opponent}, {variant}"),
    GameStatus.RESIGNED: message("Lost to {opponent} by resignation, {variant}"),
    GameStatus.TIMED_OUT: message("Lost to {opponent} on time, {variant}"),
}
_OWN_WITHOUT_WINNER = {
    GameStatus.FINISHED: message("Drew with {opponent}, {variant}"),
    GameStatus.AGREED: message("Drew with {opponent} by agreement, {variant}"),
    GameStatus.ABORTED: message("Aborted: {variant}, {opponent}"),
}


def own_results(
    games: Iterable[StoredGame], player_id: int
) -> Sequence[tuple[StoredGame, Message, bool]]:
    """Return games that have ended, each in a few words, as a player of all of them sees them.

    The last value says that another one of them has the same words.
    """
    results = [(game, own_result(game, player_id)) for game in games]
    count = Counter(words for _, words in results)
    return [(game, words, count[words] > 1) for game, words in results]


def own_result(game: StoredGame, player_id: int) -> Message:
    """Return how a game ended, in a few words that a list or a feed of its player shows."""
    variant = game.variant
    if game.is_solo:
        return _solo_result(game)
    side = game.side_of(player_id) or game.reserved_side
    opponent = None if side is None else game.holder(side.other).name
    reason = reason_in_words(game, side)
    if reason is not None and (opponent is None or opponent in reason.values.values()):
        return message("Aborted: {variant}, {reason}", variant=variant.name, reason=reason)
    if reason is not None:
        return message(
            "Aborted: {variant} with {opponent}, {reason}",
            variant=variant.name,
            opponent=opponent,
            reason=reason,
        )
    if opponent is None:
        return message("Aborted: {variant}, nobody had joined", variant=variant.name)
    words = _OWN_WITHOUT_WINNER
    if game.winner is not None:
        words = _WON if game.winner is side else _LOST
    return words[game.status].filled(variant=variant.name, opponent=opponent)


def _solo_result(game: StoredGame) -> Message:
    variant = game.variant
    if game.was_aborted:
        return message("Aborted: {variant}", variant=variant.name)
    if game.winner is None:
        return message("{variant} alone: a draw", variant=variant.name)
    return message(
        "{variant} alone: {side} won", variant=variant.name, side=variant.side_name(game.winner)
    )


@dataclass(frozen=True, slots=True)
class FollowedGame:
    """A game as it is now, in the feed of a player who has a seat or is challenged to take one.

    `moves` are its last moves, in order. `clock` is the clock of the side to move, None if none
    runs, and `now` decides which of its reminders are due.
    """

    player_id: int
    stored: StoredGame
    moves: Sequence[StoredMove]
    clock: Clock | None
    now: datetime

    @property
    def side(self) -> Side | None:
        """The player's side, None for one who has not accepted a challenge yet."""
        return self.stored.side_of(self.player_id)

    @property
    def opponent(self) -> str | None:
        """The opponent's name, None while their seat is empty."""
        side = self.side or self.stored.reserved_side
        return None if side is None else self.stored.seat(side.other).name

    @property
    def is_turn(self) -> bool:
        """Whether it is the player's turn."""
        return self.stored.is_playing and self.stored.turn is self.side

    @property
    def takebacks(self) -> int:
        """The number with which a move made now would be stored."""
        return self.stored.turn_counter - self.stored.ply

    @property
    def was_ended_by_player(self) -> bool:
        """Whether the player brought the game's end about, and knows of it."""
        if self.stored.ended_by is not None:
            return self.stored.ended_by is self.side
        if self.stored.status is GameStatus.FINISHED:
            return bool(self.moves) and self.moves[-1].side is self.side
        is_resigned = self.stored.status is GameStatus.RESIGNED
        return is_resigned and self.stored.winner is not self.side


def has_entries(game: StoredGame) -> bool:
    """Return whether private feeds have entries of a game.

    In a solo game or one against a bot, the player never waits, and needs no announcement unless it
    is a tournament game, whose clock runs against bots, too.
    """
    if game.tournament_id is not None:
        return True
    return not (game.is_solo or game.bot_level)


def private_entries(game: FollowedGame, kinds: Collection[NewsKind]) -> Iterator[Entry]:
    """Yield a game's entries of these kinds for the private feed of a player.

    They announce a challenge, each turn that the player was given, an offer that waits for an
    answer, a clock that is running down, and the end, unless the player brought it about.
    """
    entries = {
        NewsKind.CHALLENGES: _challenge(game),
        NewsKind.TURNS: _turns(game),
        NewsKind.OFFERS: _offers(game),
        NewsKind.REMINDERS: _reminders(game),
        NewsKind.RESULTS: _results(game),
    }
    for kind, of_kind in entries.items():
        if kind in kinds:
            yield from of_kind


def _challenge(game: FollowedGame) -> Iterator[Entry]:
    stored = game.stored
    if not stored.is_challenge_to(game.player_id):
        return
    title = (
        message("Challenge: {variant}, {opponent}", **_names(game))
        if stored.previous_id is None
        else message("Rematch offered: {variant}, {opponent}", **_names(game))
    )
    yield Entry(
        address(stored.id, stored.start_ply), stored.created_at, title, challenge_address(stored)
    )


def _turns(game: FollowedGame) -> Iterator[Entry]:
    stored, moves = game.stored, game.moves
    if _began_with_first_turn(game):
        title = message("Your turn in {variant}: you begin against {opponent}", **_names(game))
        begun_at = stored.started_at or stored.created_at
        yield Entry(
            address(stored.id, stored.start_ply),
            begun_at,
            title,
            turn_address_after(stored, stored.start_ply, 0),
        )
    # The side that is to move after each move: none if the reply had been planned, or if the move
    # ended the game.
    movers = [None if move.planned else move.side for move in moves[1:]]
    movers.append(None if stored.status is GameStatus.FINISHED else stored.turn)
    # `movers` has one item too many if there are no moves.
    for move, next_mover in zip(moves, movers, strict=False):
        if move.side is not game.side and next_mover is game.side:
            yield _turn_after(game, move)
    if game.is_turn and game.takebacks != (moves[-1].takebacks if moves else 0):
        title = message("Your turn in {variant}: {opponent} agreed to the takeback", **_names(game))
        path = address(stored.id, stored.ply, game.takebacks)
        yield Entry(path, stored.moved_at, title, turn_address(stored))


def _began_with_first_turn(game: FollowedGame) -> bool:
    # A player who has just accepted a challenge knows whose turn it is; and X may have moved before
    # anyone took the other seat.
    stored, moves = game.stored, game.moves
    accepted = stored.challenged_player_id == game.player_id
    first_mover = moves[0].side if moves else stored.turn
    if game.side is not first_mover or accepted or stored.started_at is None:
        return False
    first = stored.start_ply + 1
    return not moves or (moves[0].ply == first and moves[0].played_at >= stored.started_at)


def _turn_after(game: FollowedGame, move: StoredMove) -> Entry:
    title = message(
        "Your turn in {variant}: {opponent} played {move}", **_names(game), move=move.move
    )
    path = address(game.stored.id, move.ply, move.takebacks)
    page = turn_address_after(game.stored, move.ply, move.takebacks)
    return Entry(path, move.played_at, title, page)


def _offers(game: FollowedGame) -> Iterator[Entry]:
    stored = game.stored
    if game.side is None:
        return
    if stored.draw_offered_by is game.side.other:
        title = message("Draw offered: {variant}, {opponent}", **_names(game))
        yield Entry(draw_address(stored), stored.draw_offered_at or stored.moved_at, title)
    if stored.takeback_asked_by is game.side.other:
        title = message("Takeback requested: {variant}, {opponent}", **_names(game))
        yield Entry(takeback_address(stored), stored.takeback_asked_at or stored.moved_at, title)


def _reminders(game: FollowedGame) -> Iterator[Entry]:
    stored, clock = game.stored, game.clock
    if clock is None or not game.is_turn:
        return
    deadline = clock.deadline
    until = {"date": in_words(deadline), "time": f"{deadline:%H:%M}"}
    place = address(stored.id, stored.ply)
    if game.now >= clock.quarter_left:
        title = plural(
            "{count} hour left: {variant}, {opponent}, until {date} at {time} UTC",
            "{count} hours left: {variant}, {opponent}, until {date} at {time} UTC",
            **_names(game),
            **until,
            count=clock.quarter // HOUR,
        )
        name = f"reminder-{stored.turn_counter}"
        yield Entry(f"{place}?{name}", clock.quarter_left, title, event_address(stored, name))
    last_hour = clock.moment_left(HOUR)
    if game.now >= last_hour:
        title = message(
            "One hour left: {variant}, {opponent}, until {date} at {time} UTC",
            **_names(game),
            **until,
        )
        page = event_address(stored, f"last-hour-{stored.turn_counter}")
        yield Entry(page, last_hour, title)


def _results(game: FollowedGame) -> Iterator[Entry]:
    if game.side is None or game.stored.is_running or game.was_ended_by_player:
        return
    announced = ending(game.stored)
    yield replace(announced, title=own_result(game.stored, game.player_id))


def _names(game: FollowedGame) -> Mapping[str, str | None]:
    return {"variant": game.stored.variant.name, "opponent": game.opponent}
