"""A crowd that plays at random through the use cases, and remembers which games should count.

Games of all variants run side by side and end in every way there is, in another order than they
began; those that run out of time are stored now and then, as the sweep finds them.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from itertools import islice
from random import Random

from capsule.accounts import personal_data, queries as account_queries
from capsule.accounts.model import Player
from capsule.bots import turns as bot_turns
from capsule.context import AppContext
from capsule.games import deadlines, moves, offers
from capsule.games.creation import create_game, new_game
from capsule.games.eligibility import TooManyGames
from capsule.games.game import Game
from capsule.games.model import DECIDED, GameStatus, Seat
from capsule.games.point_of_view import require_view
from capsule.games.visibility import Listing
from capsule.play import challenges, starting
from capsule.play.starting import GameTerms, SideChoice
from engine import VARIANTS, Side
from tests.support.acting import act, answer, answer_ended
from tests.support.beginning import begin, challenge
from tests.support.client import find_game, find_stored
from tests.support.stories import WON_GAMES

LEVELS = ("novice", "club", "master")
AT_ONCE = 60
"""Games that go on side by side."""


@dataclass
class Plan:
    """The plan of a game: its way to the end, and whether it should count then."""

    way: str
    after: int
    moves: list[str]
    spoiled: bool = False


@dataclass
class Crowd:
    """The players, the running games, and how the others ended."""

    context: AppContext
    rng: Random
    tick: Callable[[timedelta], None]
    ids: list[int] = field(default_factory=list)
    known: dict[int, Player] = field(default_factory=dict)
    going_on: dict[str, Plan] = field(default_factory=dict)
    should_count: set[str] = field(default_factory=set)
    ended: Counter[str] = field(default_factory=Counter)
    newcomers: int = 0

    def arrive(self) -> None:
        """Add a new player."""
        self.newcomers += 1
        name = f"player-{self.newcomers}"
        with self.context.database.writing() as connection:
            player = account_queries.add_player(connection, name, self.context.clock())
        self.ids.append(player.id)
        self.known[player.id] = player

    def player(self, player_id: int) -> Player:
        """Return a player as they are now."""
        with self.context.database.reading() as connection:
            player = account_queries.player_by_id(connection, player_id)
        assert player is not None
        return player

    def begin(self) -> None:
        """Start a game of some kind."""
        variant = self.rng.choices(list(VARIANTS), weights=(8, 5, 48, 34, 5))[0]
        terms = GameTerms(
            side=self.rng.choice(tuple(SideChoice)),
            days=self.rng.choice((1, None, None)),
            listed=Listing.ALL if self.rng.random() < 0.5 else Listing.NONE,
            rated=self.rng.random() < 0.8,
        )
        kind = self.rng.choices(
            ("invite", "open", "challenge", "bot", "solo", "bots"), weights=(30, 20, 20, 18, 6, 6)
        )[0]
        host, guest = (self.player(player_id) for player_id in self.rng.sample(self.ids, 2))
        try:
            game_id = self._started(kind, variant, terms, host, guest)
        except TooManyGames:
            return
        self._intend(game_id, kind, variant)
        # A newcomer's game against a bot is casual, whatever the terms.
        if kind == "solo" or not terms.rated or not self._is_rated(game_id):
            self.going_on[game_id].spoiled = True

    def _is_rated(self, game_id: str) -> bool:
        stored = find_stored(self.context, game_id)
        assert stored is not None
        return stored.rated

    def _started(
        self, kind: str, variant: str, terms: GameTerms, host: Player, guest: Player
    ) -> str:
        if kind == "bots":
            with self.context.database.writing() as connection:
                levels = self.rng.choices(LEVELS, k=2)
                x, o = (Seat(bot=level) for level in levels)
                status = GameStatus.PLAYING
                game = new_game(self.context, VARIANTS[variant], x, o, status)
                return create_game(connection, replace(game, listed=True, rated=terms.rated))
        if kind == "challenge":
            game_id = challenge(self.context, host, VARIANTS[variant], guest.name, terms)
            answer(challenges.accept, self.context, guest, game_id)
            return game_id
        way = f"bot-{self.rng.choice(LEVELS)}" if kind == "bot" else kind
        game_id = begin(self.context, host, VARIANTS[variant], way, terms)
        if kind in ("invite", "open"):
            answer(starting.join, self.context, guest, game_id)
        return game_id

    def _intend(self, game_id: str, kind: str, variant: str) -> None:
        ways = ["play on"] * 3 + ["resign"] * 3 + ["abort", "early"]
        if kind in ("invite", "open", "challenge"):
            ways += ["draw", "draw", "leave", "leave", "leave", "claim", "takeback"]
        if kind in ("bot", "solo"):
            ways += ["takeback", "hint"]
        if kind == "bots":
            ways = ["play on"]
        way = self.rng.choice(ways)
        after = self.rng.randrange(2, 5)
        if way in ("abort", "early"):
            after = self.rng.randrange(2)
        is_scripted = variant in ("tinc", "ultimate", "extreme") and (
            way == "play on" or self.rng.random() < 0.5
        )
        moves = WON_GAMES[variant].split() if is_scripted else []
        self.going_on[game_id] = Plan(way, after, moves)

    def step(self) -> None:
        """Do something in a running game, or note how it has ended."""
        game_id = self.rng.choice(list(self.going_on))
        game = find_game(self.context, game_id)
        assert game is not None
        if game.is_running:
            self._act(game, self.going_on[game_id])
        else:
            self._note(game)

    def _act(self, game: Game, plan: Plan) -> None:
        mover = self._holder(game, game.position.turn)
        is_time = game.ply >= plan.after and not game.is_bots_turn
        if plan.way == "play on" or not is_time or mover is None:
            self._move(game, plan)
        elif plan.way == "abort" and game.stored.can_be_aborted:
            act(offers.abort, self.context, mover, game.id)
        elif plan.way in ("resign", "early", "abort"):
            act(offers.resign, self.context, mover, game.id)
        elif plan.way == "draw":
            other = self._holder(game, game.position.turn.other)
            assert other is not None
            view = require_view(game, other)
            if view.may_answer_draw:
                act(partial(offers.answer_draw, accepts=True), self.context, other, game.id)
            else:
                act(offers.offer_draw, self.context, mover, game.id)
        elif plan.way == "hint":
            act(bot_turns.count_hint, self.context, mover, game.id)
            plan.way, plan.spoiled = "play on", True
        elif plan.way == "takeback":
            self._take_back(game, plan, mover)
        elif (
            plan.way == "claim"
            and (waiting := self._holder(game, game.position.turn.other)) is not None
            and require_view(game, waiting).may_claim
        ):
            act(offers.claim, self.context, waiting, game.id)
        elif game.clock is None:
            plan.way = "resign"

    def _take_back(self, game: Game, plan: Plan, mover: Player) -> None:
        if not require_view(game, mover).may_take_back:
            plan.way = "play on"
            return
        act(offers.take_back, self.context, mover, game.id)
        other = self._holder(game, game.position.turn.other)
        if game.stored.is_between_people and other is not None:
            refused = self.rng.random() < 0.3
            reply = partial(offers.answer_takeback, accepts=not refused)
            act(reply, self.context, other, game.id)
            plan.spoiled |= not refused
        else:
            plan.spoiled = True
        plan.way, plan.moves = "play on", []

    def _move(self, game: Game, plan: Plan) -> None:
        few = list(islice(game.position.legal_moves(), 30))
        is_on_script = game.ply < len(plan.moves)
        move = plan.moves[game.ply] if is_on_script else self.rng.choice(few)
        mover = self._holder(game, game.position.turn)
        if mover is None:
            bot_turns.reply(self.context, game.id, game.stored.turn_counter, move)
        else:
            act(moves.move, self.context, mover, game.id, move)
        is_long = game.ply > 8 and game.variant.key not in ("numeric", "quantum")
        if is_long and not is_on_script and plan.way == "play on":
            plan.way, plan.after = "resign", 0

    def _holder(self, game: Game, side: Side) -> Player | None:
        stored = game.stored
        player_id = stored.seat(side).player_id
        return None if player_id is None else self.known[player_id]

    def _note(self, game: Game) -> None:
        stored = game.stored
        plan = self.going_on.pop(stored.id)
        same_bot = stored.x.bot is not None and stored.x.bot == stored.o.bot
        # Which of a pair's games are surplus has stories of its own.
        is_spoiled = plan.spoiled or same_bot or stored.surplus
        if stored.status in DECIDED and stored.ply >= 2 and not is_spoiled:
            self.should_count.add(stored.id)
        self.ended[stored.status] += 1
        if self.rng.random() < 0.1:
            self._play_again(game)

    def _play_again(self, game: Game) -> None:
        stored = game.stored
        x_id, o_id = stored.x.player_id, stored.o.player_id
        if x_id is None or o_id is None or x_id == o_id or not {x_id, o_id} <= set(self.ids):
            return
        answer_ended(challenges.offer_rematch, self.context, self.player(x_id), stored.id)
        accept = challenges.accept_rematch
        game_id = answer_ended(accept, self.context, self.player(o_id), stored.id)
        self._intend(game_id, "challenge", stored.variant.key)
        self.going_on[game_id].spoiled = not stored.rated

    def leave(self) -> None:
        """Erase one of the players."""
        leaving = self.ids.pop(self.rng.randrange(len(self.ids)))
        player = self.player(leaving)
        with self.context.writing() as transaction:
            personal_data.erase_player(transaction, player)

    def play(self, count: int) -> None:
        """Play until `count` games have ended, not counting aborted ones, and store all ends."""
        while sum(self.ended[status] for status in DECIDED) < count:
            while len(self.going_on) < AT_ONCE:
                self.begin()
            self.step()
            self.tick(timedelta(minutes=self.rng.randrange(5)))
            if self.rng.random() < 0.01:
                deadlines.end_overdue(self.context)
            if self.rng.random() < 0.0005:
                self.leave()
                self.arrive()
        deadlines.end_overdue(self.context)
        for game_id in list(self.going_on):
            game = find_game(self.context, game_id)
            if game is not None and not game.is_running:
                self._note(game)
