"""Actions in a game: each needs a key of the visitor, takes effect once, and leads to a page."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from capsule.accounts import identity
from capsule.accounts.identity import Visitor, last_counts
from capsule.accounts.model import Player
from capsule.accounts.pages import action
from capsule.accounts.queries import User
from capsule.bots import turns as bot_turns
from capsule.context import AppContext, Transaction
from capsule.db.faults import DatabaseFault
from capsule.errors import NotFound, OutdatedAction, Refused
from capsule.games import deadlines, moves, offers, queries as game_queries
from capsule.games.eligibility import TooManyGames
from capsule.games.model import StoredGame
from capsule.games.point_of_view import PointOfView, require_view
from capsule.games.reading import load_running
from capsule.games.visibility import Listing
from capsule.gemini.types import Request, Response, Wait
from capsule.play import challenges, starting
from capsule.ui import links, responses
from capsule.ui.paging import TermsRefused, read_choices
from capsule.ui.routes import ANY, GAME, KEY, Routes, one_of
from capsule.ui.typed_words import ABORT, CLAIM, RESIGN
from engine import Message, message

_ALL_SUBJECTS = (identity.GAME, identity.DRAW, identity.TAKEBACK)


@dataclass(frozen=True)
class TurnKeys(action.Keys):
    """The keys by which players act at one turn of a game; keys of these `subjects` fit.

    Each kind of offer is a separate subject, so that an answer to one cannot accept another.
    """

    subjects: Sequence[str] = (identity.GAME,)
    # The action itself raises the game's turn counter if it ends the turn.
    advance = action.nothing_to_advance

    def fitting(self, transaction: Transaction, attempt: action.Attempt) -> str | None:
        """Return the subject for which the key of an attempt fits, or None."""
        game, visitor, context = attempt.target.now, attempt.visitor, transaction.context
        for subject in self.subjects:
            if visitor.fits(context, subject.format(game.id), attempt.key, game.turn_counter):
                return subject
        return None

    def fits(self, transaction: Transaction, attempt: action.Attempt) -> bool:
        """Return whether the key of an attempt fits at the present turn."""
        return self.fitting(transaction, attempt) is not None

    def held(self, transaction: Transaction, attempt: action.Attempt) -> bool:
        """Return whether the key of an attempt was the visitor's own at one of the last turns."""
        game, visitor, context = attempt.target.now, attempt.visitor, transaction.context
        counts = last_counts(game.turn_counter)
        return any(
            visitor.held(context, subject.format(game.id), attempt.key, counts)
            for subject in _ALL_SUBJECTS
        )


_EARLIER = message("That link was of an earlier position: nothing was played.")
_NOT_PLAYED, _GAME_OVER, _NOT_YOUR_TURN = (
    action.StaleNotice(reason, _EARLIER, message("Your move was:"))
    for reason in (
        message("Nothing was played: that page showed an earlier position."),
        message("Nothing was played: the game is over."),
        message("Nothing was played: it is not your turn."),
    )
)
_NOT_PLANNED = action.StaleNotice(
    message("Nothing was planned: that page showed an earlier position."),
    message("That link was of an earlier position: nothing was planned."),
)
_NOT_JOINED = action.always(message("You have not joined this game: the seat is no longer open."))
_NOT_DONE = action.always(message("That link was of an earlier position: nothing was done."))


class Target(NamedTuple):
    """A game as stored, and as of now: ended if a deadline has passed."""

    stored: StoredGame
    now: StoredGame


def _game(transaction: Transaction, attempt: action.Attempt) -> Target:
    target, _ = _game_and_user(transaction, attempt.arguments)
    if target is None:
        raise NotFound
    return target


def _game_and_user(
    transaction: Transaction, arguments: action.Arguments, fingerprint: str | None = None
) -> tuple[Target | None, User | None]:
    """Return the game, and with it the user of a certificate, if that is given."""
    connection, game_id, user = transaction.connection, arguments["game_id"] or "", None
    if fingerprint is None:
        stored = game_queries.game_by_id(connection, game_id, to_change=transaction.is_writing)
    else:
        stored, user = game_queries.game_and_user(connection, game_id, fingerprint)
    if stored is None:
        return None, user
    now = stored
    if stored.may_be_due(transaction.deadline_time):
        (now,) = deadlines.apply_deadlines(transaction, [stored])
    return Target(stored, now), user


def _here(attempt: action.Attempt) -> str:
    return f"/play/{attempt['game_id']}"


def _view(transaction: Transaction, attempt: action.Attempt) -> PointOfView:
    """Return the running game from the player's seat; raises `OutdatedAction`."""
    return require_view(load_running(transaction, attempt.target.now), attempt.visitor.player)


def refused(visitor: Visitor, error: Refused, back: str, typed: str | None = None) -> Response:
    """Return the page with the reason of a refusal, and a link to the visitor's page at `back`.

    One game too many has another title than other refusals. The page repeats what was `typed` with
    the visitor's own key.
    """
    is_one_too_many = isinstance(error, TooManyGames)
    template = f"play/{'too_many_games' if is_one_too_many else 'not_possible'}.gmi"
    return responses.refusal(visitor.preferences, template, error, back, typed)


def _refused(attempt: action.Attempt, refusal: Refused) -> Response | None:
    return refused(attempt.visitor, refusal, _here(attempt))


_in_game = partial(
    action.Action,
    counter=TurnKeys(),
    target=_game,
    target_and_user=_game_and_user,
    back=_here,
    refuses=_refused,
    holds_player=False,
    notice=_NOT_DONE,
)


def then_reply(
    transaction: Transaction, attempt: action.Attempt, game: StoredGame, page: str | None = None
) -> action.Then:
    """Return the redirect to a game, which waits for the bot's reply if the bot owes one.

    The next page then shows the reply. A visitor who waits elsewhere already is redirected at once,
    and the bot finds its turn in the database. While the game is running, the redirect may lead to
    another `page`.
    """
    here = f"/play/{game.id}"
    goal = (page or here) if game.is_running else here
    if not game.awaits_bot:
        return action.Then(partial(responses.redirect, goal), goal)
    when_replied = partial(_when_replied, transaction.context, attempt.player, game, goal)
    return action.Then(when_replied, goal)


def then_first_move(transaction: Transaction, attempt: action.Attempt, game_id: str) -> action.Then:
    """Return the redirect to a game that has just begun, as `then_reply` does."""
    game = game_queries.game_by_id(transaction.connection, game_id)
    if game is None:
        raise LookupError(game_id)
    return then_reply(transaction, attempt, game)


def _when_replied(context: AppContext, player: Player, game: StoredGame, goal: str) -> Wait:
    redirect = responses.redirect(goal)

    def when_replied() -> Response:
        # The visitor's move or offer has been stored, even if the database fails now.
        with suppress(DatabaseFault):
            context.bots.request_reply(game.id, game.turn_counter, player.id)
        return redirect

    return Wait(player.id, when_replied, fallback=redirect)


def _asks_for_move(
    transaction: Transaction, attempt: action.Attempt, *, names_game: bool = False
) -> Sequence[Message]:
    view = _view(transaction, attempt)
    if not view.is_turn:
        raise OutdatedAction
    game, position = view.game, view.game.position
    side = game.variant.side_name(game.stored.turn)
    example = message("For example {move}.", move=position.example())
    if not names_game:
        return position.instruction(), example, message("Your move, {side}", side=side)
    opponent = game.stored.seat(game.stored.turn.other).name
    name = message("{variant} with {opponent}", variant=game.variant.name, opponent=opponent)
    which = message("{game}.", game=name)
    ask = message("{game}: your move, {side}", game=name, side=side)
    return which, position.instruction(), example, ask


def _not_played(transaction: Transaction, attempt: action.Attempt) -> action.StaleNotice:
    if not attempt.target.now.is_running:
        return _GAME_OVER
    return _NOT_YOUR_TURN if TurnKeys().fits(transaction, attempt) else _NOT_PLAYED


def _moving(
    name: str,
    asks: Callable[[Transaction, action.Attempt], Sequence[Message]],
    page: Callable[[Transaction, action.Attempt], str] | None = None,
) -> action.Action:
    """Return the action of a typed move, which leads to the game or to the address from `page`."""

    def does(transaction: Transaction, attempt: action.Attempt) -> action.Then:
        game = moves.move(transaction, _view(transaction, attempt), attempt.typed)
        goal = None if page is None else page(transaction, attempt)
        # The move is saved; if a bot answers in time, the next page shows both moves.
        return then_reply(transaction, attempt, game.stored, goal)

    return _in_game(name=name, asks=asks, does=does, refuses=lambda *_: None, notice=_not_played)


MOVE = _moving("move", _asks_for_move)
MOVE_AT_LIVE = _moving("move_at_live", _asks_for_move, lambda _, attempt: f"{_here(attempt)}/live")
# Some browsers cache pages by address, so the action leads to an address not used before.
MOVE_AT_DESK = _moving(
    "move_at_desk",
    partial(_asks_for_move, names_game=True),
    lambda transaction, _: links.fresh("/play/desk", transaction.now),
)


def _for_player(use_case: Callable[[Transaction, PointOfView], object]) -> Callable[..., None]:
    def does(transaction: Transaction, attempt: action.Attempt) -> None:
        use_case(transaction, _view(transaction, attempt))

    return does


def _confirmed(
    name: str, word: Message, ask: Message, use_case: Callable[[Transaction, PointOfView], None]
) -> action.Action:
    def asks(transaction: Transaction, attempt: action.Attempt) -> Sequence[Message]:
        _view(transaction, attempt)
        return (ask,)

    return _in_game(name=name, word=word, asks=asks, does=_for_player(use_case))


HINT_SECONDS = 5
"""Seconds after which a player who is already waiting for a hint may ask for another."""


def _hint(transaction: Transaction, attempt: action.Attempt) -> action.Then:
    context, player = transaction.context, attempt.player
    view = _view(transaction, attempt)
    bot_turns.count_hint(transaction, view)
    played = game_queries.moves_of(transaction.connection, view.game.id, up_to=view.game.ply)

    def page() -> Response:
        variant, past = view.game.variant.key, [each.move for each in played]
        return responses.page(
            attempt.visitor.preferences,
            "bots/hint.gmi",
            game=view.game,
            hint=context.bots.hint(variant, past, player.id),
            key=attempt.key,
        )

    return action.Then(page)


def _require_hint(transaction: Transaction, attempt: action.Attempt) -> None:
    if not _view(transaction, attempt).may_ask_hint:
        raise OutdatedAction


def _draw(transaction: Transaction, attempt: action.Attempt) -> action.Then:
    offered = offers.offer_draw(transaction, _view(transaction, attempt))
    # If a bot answers in time, the next page shows its answer.
    return then_reply(transaction, attempt, offered)


def listing_in(query: str | None) -> Listing | None:
    """Return the listing that the query of a link names, or None.

    Raises `TermsRefused` if no page writes such a query.
    """
    choices = read_choices(query, {"listed": (Listing.ALL, Listing.NONE)})
    return Listing(choices["listed"]) if choices else None


def _listing(attempt: action.Attempt) -> Listing | None:
    try:
        return listing_in(attempt.text)
    except TermsRefused as error:
        raise OutdatedAction from error


def _join(transaction: Transaction, attempt: action.Attempt) -> None:
    game = load_running(transaction, attempt.target.now)
    starting.join(transaction, attempt.player, game, _listing(attempt))


def _not_joined(_transaction: Transaction, attempt: action.Attempt) -> action.StaleNotice:
    stored, player = attempt.target.now, attempt.visitor.player
    has_seat = player is not None and stored.has_player(player.id)
    return _NOT_DONE if has_seat or stored.open_side is not None else _NOT_JOINED


def _rematch(transaction: Transaction, attempt: action.Attempt) -> action.Then | str:
    stored: StoredGame = attempt.target.stored
    next_id = challenges.offer_rematch(transaction, attempt.player, stored, _listing(attempt))
    if stored.bot_level is None:
        return f"/play/{next_id}"
    # If the bot is X now, the next page may already show its first move.
    return then_first_move(transaction, attempt, next_id)


_ANSWERS = TurnKeys(_ALL_SUBJECTS)


def _accept(transaction: Transaction, attempt: action.Attempt) -> action.Outcome:
    match _ANSWERS.fitting(transaction, attempt):
        case identity.DRAW:
            offers.answer_draw(transaction, _view(transaction, attempt), accepts=True)
        case identity.TAKEBACK:
            offers.answer_takeback(transaction, _view(transaction, attempt), accepts=True)
        case _:
            player, listing, target = attempt.player, _listing(attempt), attempt.target
            if not target.now.is_running:
                next_id = challenges.accept_rematch(transaction, player, target.stored, listing)
                return f"/play/{next_id}"
            challenges.accept(transaction, player, load_running(transaction, target.now), listing)
    return None


def _decline(transaction: Transaction, attempt: action.Attempt) -> None:
    match _ANSWERS.fitting(transaction, attempt):
        case identity.DRAW:
            offers.answer_draw(transaction, _view(transaction, attempt), accepts=False)
        case identity.TAKEBACK:
            offers.answer_takeback(transaction, _view(transaction, attempt), accepts=False)
        case _:
            player, target = attempt.player, attempt.target
            if target.now.is_running:
                challenges.decline(transaction, player, load_running(transaction, target.now))
            else:
                challenges.decline_rematch(transaction, player, target.stored)


def _asks_for_plan(transaction: Transaction, attempt: action.Attempt) -> Sequence[Message]:
    view = _view(transaction, attempt)
    if not view.may_plan:
        raise OutdatedAction
    position = view.game.position
    ask = (
        message("If … then …, up to five answers. A comma divides two moves in a row by one player")
        if position.may_move_twice
        else message("If … then …, with up to five answers")
    )
    move = position.example()
    after = position.play(move)
    if after.outcome is not None or after.turn is position.turn:
        return (ask,)
    answer = after.example()
    return message("For example: if {move} then {answer}.", move=move, answer=answer), ask


VERBS: Mapping[str, action.Action] = {
    each.name: each
    for each in (
        MOVE,
        _in_game(
            name="join",
            does=_join,
            makes_player=action.newcomer,
            holds_player=True,
            notice=_not_joined,
        ),
        _confirmed("resign", RESIGN, message("Type {word} to give up this game"), offers.resign),
        _confirmed("abort", ABORT, message("Type {word} to abort this game"), offers.abort),
        _in_game(
            name="hint",
            prepares=_require_hint,
            does=_hint,
            in_turn=responses.slow_down(HINT_SECONDS),
        ),
        _in_game(name="draw", does=_draw),
        _in_game(name="takeback", does=_for_player(offers.take_back)),
        _in_game(name="rematch", does=_rematch, holds_player=True),
        _in_game(name="accept", counter=_ANSWERS, does=_accept, holds_player=True),
        _in_game(name="decline", counter=_ANSWERS, does=_decline),
        _confirmed("claim", CLAIM, message("Type {word} to win this game on time"), offers.claim),
        _in_game(
            name="plan",
            asks=_asks_for_plan,
            does=lambda transaction, attempt: moves.add_line(
                transaction, _view(transaction, attempt), attempt.typed
            ),
            refuses=lambda *_: None,
            notice=_NOT_PLANNED,
        ),
        _in_game(name="forget", does=_for_player(moves.clear_plan)),
    )
}
"""The actions in a game, by the last segment of the URL."""


def act(
    context: AppContext, request: Request, game_id: str, key: str, verb: str
) -> Response | Wait:
    """Take an action in a game."""
    return VERBS[verb](context, request, key, game_id=game_id)


ROUTES: Routes = (
    (f"/play/desk/{GAME}/{KEY}/move", MOVE_AT_DESK, ANY),
    (f"/play/{GAME}/live/{KEY}/move", MOVE_AT_LIVE, ANY),
    (f"/play/{GAME}/{KEY}/{one_of('verb', VERBS)}", act, ANY),
)
