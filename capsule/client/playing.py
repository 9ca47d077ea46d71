"""A program at play: it answers what waits for it, may seek games, and backs off in between.

It stores nothing about its games: the capsule knows what waits and which seats it offers, even
after a restart of either.
"""

import logging
from collections.abc import Callable, Mapping, Sequence, Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass

from capsule.client.connection import NotReached
from capsule.client.program_api import CapsuleRefused, GameState, ProgramApi
from engine.bots.hosting.course import Forfeit
from engine.bots.hosting.outside import HostedBot

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0
"""Seconds between two looks at an empty desk: at first, and when nothing has come for long."""

FIRST_RETRY, LONGEST_RETRY = 2.0, 300.0
"""Seconds after which a server that was not reached is tried again: at first, and at most."""

LOOKS_AFTER = 5
"""Number of games waiting for others that are checked for their end when the desk is empty."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class MatchmakingOptions:
    """The games that a program seeks by itself; it always plays those that others bring.

    `offers` are the variants in which it offers a seat to anyone, and `joins` those in which it
    takes others' seats, both until the bot has failed there. It has no more than `at_once` games
    under way that it has sought, and stops once `games` have ended, None for never.
    """

    offers: Sequence[str] = ()
    joins: Sequence[str] = ()
    tournaments: bool = False
    at_once: int = 10
    games: int | None = None


class Backoff:
    """Pauses that grow until something happens."""

    def __init__(self, first: float, longest: float) -> None:
        self._first, self._longest = first, longest
        self._next = first

    def again(self) -> None:
        """Begin with the shortest wait."""
        self._next = self._first

    def next(self) -> float:
        """Return the seconds to wait now."""
        seconds = self._next
        self._next = min(self._longest, 1.5 * seconds)
        return seconds


class Program:
    """A program that plays at one capsule; `choosers` choose its moves, by variant."""

    def __init__(
        self,
        api: ProgramApi,
        choosers: "Mapping[str, BotMoveChooser]",
        options: MatchmakingOptions,
        sleep: Callable[[float], None],
    ) -> None:
        self._api, self._choosers, self._options, self._sleep = api, choosers, options, sleep
        self._under_way: dict[str, None] = {}
        self._failed: set[str] = set()
        self._left_alone: set[str] = set()
        self._name: str | None = None
        self.ended = 0
        """The number of games that have ended since it began."""

    @property
    def is_done(self) -> bool:
        """Whether as many games have ended as its options ask for."""
        return self._options.games is not None and self.ended >= self._options.games

    def play(self) -> None:
        """Play until it is done.

        Raises `NotAdmitted`, `CapsuleRefused` or `ServerNotTrusted` if it cannot continue.
        """
        pause = Backoff(FIRST_PAUSE, LONGEST_PAUSE)
        retry = Backoff(FIRST_RETRY, LONGEST_RETRY)
        while not self.is_done:
            try:
                has_acted = self.look()
            except NotReached as error:
                seconds = retry.next()
                log.warning("no answer (%s), trying again in %.0f s", error, seconds)
                self._sleep(seconds)
                continue
            retry.again()
            if has_acted:
                pause.again()
            elif not self.is_done:
                self._sleep(pause.next())

    def look(self) -> bool:
        """Answer all that waits now, and return whether anything did."""
        desk = self._api.desk()
        if desk.declare is not None:
            self._api.declare(desk.declare)
            log.info("has said that it is a program")
        if desk.player != self._name:
            self._name = desk.player
            log.info("plays as %s", self._name)
        self._under_way.update(dict.fromkeys(game.id for game in desk.open))
        acted = [self._answer_challenge(each) for each in desk.challenges]
        acted += [self._answer(each) for each in desk.games if not self.is_done]
        if not any(acted):
            acted.append(self._look_after())
        if not self.is_done:
            acted.append(self._seek({game.variant for game in desk.open}))
        return any(acted)

    def _answer_challenge(self, game: GameState) -> bool:
        address = game.accept if game.variant in self._choosers else game.decline
        return self._try(game, address, note="challenged by")

    def _answer(self, game: GameState) -> bool:
        self._under_way[game.id] = None
        acted = False
        for offer in game.offers:
            # Bots judge positions, not offers: an opponent who wants a draw may play for it.
            acted |= self._try(game, offer.decline, note=f"declines a {offer.kind} with")
        if game.move is None:
            return acted
        chooser = self._choosers.get(game.variant)
        if chooser is None:
            if game.id not in self._left_alone:
                self._left_alone.add(game.id)
                log.warning("%s %s: waits for a bot that plays it", game.variant, game.id)
            return acted
        try:
            move = chooser.choose(game.id, game.moves)
        except Forfeit as forfeit:
            log.warning("%s %s: the bot %s", game.variant, game.id, forfeit)
            if game.variant in {*self._options.offers, *self._options.joins} - self._failed:
                log.warning("seeks no more games of %s, since the bot has failed", game.variant)
            self._failed.add(game.variant)
            return self._try(game, game.resign, "resign", note="resigns to") or acted
        return self._try(game, game.move, move, note=f"{move} against") or acted

    def _try(
        self, game: GameState, address: str | None, text: str | None = None, *, note: str
    ) -> bool:
        """Act at an address, if there is one, and return whether the capsule accepted it.

        If another player took the seat first, the answer says that it is not the program's.
        """
        if address is None:
            return False
        try:
            after = self._api.act(address, text)
        except CapsuleRefused as refusal:
            log.warning("%s %s: %s", game.variant, game.id, refusal)
            return False
        if address == game.join and after.seat is None:
            return False
        log.info("%s %s: %s %s", game.variant, game.id, note, game.opponent or "anyone")
        self._note(after)
        return True

    def _note(self, game: GameState) -> None:
        """Remember a game of the program's that is under way, and count one that has ended."""
        if not game.is_over and game.seat is not None:
            self._under_way[game.id] = None
        elif game.id in self._under_way:
            del self._under_way[game.id]
            self.ended += 1
            opponent = game.opponent or "nobody"
            log.info("%s %s: %s against %s", game.variant, game.id, game.result, opponent)

    def _look_after(self) -> bool:
        """Count the games that others have ended, and return whether there are any."""
        before = self.ended
        for game_id in list(self._under_way)[:LOOKS_AFTER]:
            # Looked at last, so that all of them have their turn.
            del self._under_way[game_id]
            self._under_way[game_id] = None
            with suppress(CapsuleRefused):
                self._note(self._api.state(game_id))
        return self.ended > before

    def _seek(self, offered: AbstractSet[str]) -> bool:
        """Seek games as the options say, and return whether any was found.

        `offered` are the variants in which it offers a seat already.
        """
        found = False
        options = self._options
        if options.tournaments:
            found |= self._join_tournaments()
        if options.joins and self._has_room:
            found |= self._take_seats()
        for variant in options.offers:
            if self._has_room and variant not in offered | self._failed:
                found |= self._offer(variant)
        return found

    def _join_tournaments(self) -> bool:
        try:
            joined = self._api.join_tournaments(tuple(self._choosers))
        except CapsuleRefused as refusal:
            log.warning("no tournament: %s", refusal)
            return False
        for title in joined:
            log.info("joined the tournament %s", title)
        return bool(joined)

    def _offer(self, variant: str) -> bool:
        try:
            game = self._api.start(variant, "open")
        except CapsuleRefused as refusal:
            log.warning("%s: %s", variant, refusal)
            return False
        self._note(game)
        log.info("%s %s: offers a game to anyone", variant, game.id)
        return True

    @property
    def _has_room(self) -> bool:
        limit = self._options.at_once
        if self._options.games is not None:
            limit = min(limit, self._options.games - self.ended)
        return len(self._under_way) < limit

    def _take_seats(self) -> bool:
        """Take seats one by one: the addresses of the others may be outdated by the first."""
        taken = False
        for _ in range(self._options.at_once):
            if not self._has_room:
                break
            wanted = set(self._options.joins) - self._failed
            seats = (each for each in self._api.open_seats() if each.variant in wanted)
            game = next(seats, None)
            if game is None or not self._try(game, game.join, note="takes a seat opposite"):
                break
            taken = True
        return taken


class BotMoveChooser:
    """A bot that plays all of a program's games of one variant, one move at a time.

    `name` is a level or `module:Class`, and `seconds` what it may think, None for a level's
    own time. The process starts with the first move.
    """

    def __init__(self, variant: str, name: str, seconds: float | None, seed: int) -> None:
        self._variant, self._name, self._seconds, self._seed = variant, name, seconds, seed
        self._bot: HostedBot | None = None
        self._game: str | None = None

    def start(self) -> HostedBot:
        """Start the bot's process, unless it runs, and return the bot; raises `NoSuchBot`."""
        if self._bot is None:
            self._bot = HostedBot(self._variant, self._name)
        return self._bot

    def choose(self, game_id: str, moves: Sequence[str]) -> str:
        """Return the move after these moves of a game.

        A bot whose process dies is tried once more. Raises `Forfeit` if it fails again.
        """
        try:
            return self._choose(game_id, moves)
        except Forfeit:
            self._game = None
            return self._choose(game_id, moves)

    def _choose(self, game_id: str, moves: Sequence[str]) -> str:
        bot = self.start()
        if game_id != self._game:
            # The same game continues with the same luck, whenever it is resumed.
            bot.new_game(f"{self._seed} {game_id} {len(moves)}")
            self._game = game_id
        seconds = self._seconds if self._seconds is not None else bot.seconds or DEFAULT_SECONDS
        return bot.choose(moves, seconds).choice.move

    def close(self) -> None:
        """End the bot's process, if it runs."""
        if self._bot is not None:
            self._bot.close()


DEFAULT_SECONDS = 2.0
"""Seconds of thought for each move of a bot from outside, by default."""
