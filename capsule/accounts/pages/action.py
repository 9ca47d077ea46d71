"""Actions: a link with a key is checked, asks if need be, acts once, and redirects."""

import hmac
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Protocol, TypeAlias

from capsule.accounts import identity, players, queries
from capsule.accounts.model import Player
from capsule.context import AppContext, Transaction
from capsule.errors import OutdatedAction, OverLimit, Refused
from capsule.gemini.types import Request, Response, Wait
from capsule.languages.model import activate_language
from capsule.ui import render, responses, typed_words, user_text
from engine import Message, message

Arguments: TypeAlias = Mapping[str, str | None]
"""The named parts of an address, apart from the key."""

YOUR_TEXT_WAS = message("Your text was:")

_NOTHING_CHANGED_SINCE = message("Nothing was changed. {reason}.")


@dataclass(frozen=True, slots=True)
class StaleNotice:
    """The sentences that say that nothing was done, and why.

    `text` is for a request with typed text, `link` for one without. `introduction` stands above the
    typed text where that is quoted. `refused` is the sentence for a refusal, with its `reason`.
    """

    text: Message
    link: Message
    introduction: Message = YOUR_TEXT_WAS
    refused: Message = _NOTHING_CHANGED_SINCE


def always(sentence: Message) -> StaleNotice:
    """Return a notice with the same sentence for typed text and for a link."""
    return StaleNotice(sentence, sentence)


NOTHING_CHANGED = StaleNotice(
    message("Nothing was changed: that page was out of date."),
    message("That link was out of date: nothing was changed."),
)
NOTHING_SENT = StaleNotice(
    message("Nothing was sent: that page was out of date."),
    message("That link was out of date: nothing was sent."),
    refused=message("Nothing was sent. {reason}."),
)


def with_notice(
    path: str, notice: StaleNotice, typed: str | None = None, *, is_own: bool = False
) -> Response:
    """Return a redirect to a path of this capsule, with a notice above the target page.

    The `typed` text is quoted if it came with a key that was once the reader's own: otherwise
    anyone could plant text in our pages.
    """
    sentence = notice.text if typed else notice.link
    text = user_text.quotation(typed) if typed and is_own else ""
    words = {"sentence": sentence, "introduction": notice.introduction, "text": text}
    preface = render.render("accounts/outdated.gmi", words)
    return replace(responses.redirect(path), preface=preface)


@dataclass(frozen=True)
class Attempt:
    """An attempt at an action: the visitor, and the contents of the request.

    `typed` is the query normalized for parsing, and `text` the query as written, for others to
    read; both are "" without a query. `arguments` are the named parts of the address, apart from
    the key. `target` is what the action acts on, and `prepared` the result of `Action.prepares`.
    """

    visitor: identity.Visitor
    key: str
    typed: str = ""
    text: str = ""
    arguments: Arguments = field(default_factory=dict)
    target: Any = None
    prepared: Any = None

    @property
    def player(self) -> Player:
        """The acting player; raises `OutdatedAction` if the visitor is not a player yet."""
        if self.visitor.player is None:
            raise OutdatedAction
        return self.visitor.player

    def __getitem__(self, name: str) -> str:
        """Return a named part of the address; "" where it has none."""
        return self.arguments.get(name) or ""


class Keys(Protocol):
    """The keys of an action: which of them fit now, and which fitted lately."""

    def fits(self, transaction: Transaction, attempt: Attempt) -> bool:
        """Return whether the key of an attempt fits now.

        A writing transaction has then locked the rows that decide it.
        """

    def held(self, transaction: Transaction, attempt: Attempt) -> bool:
        """Return whether the key of an attempt has lately fitted for this visitor."""

    def advance(self, transaction: Transaction, attempt: Attempt) -> None:
        """Make the key of an attempt stop fitting."""


def nothing_to_advance(_keys: Keys, transaction: Transaction, attempt: Attempt) -> None:
    """Do nothing: what the action stores outdates its key, or a second use changes nothing."""


class Counter(Keys, Protocol):
    """Keys that are each made for one count of a subject, and fit only at that count."""

    def subject(self, attempt: Attempt) -> str:
        """Return the subject of the keys."""

    def count(self, transaction: Transaction, attempt: Attempt) -> int | None:
        """Return the count at which a key fits now, None if none does."""

    def last_counts(self, transaction: Transaction, attempt: Attempt) -> Iterable[int]:
        """Return the most recent counts at which keys fitted."""

    def fits(self, transaction: Transaction, attempt: Attempt) -> bool:
        """Return whether the key of an attempt was made for the present count."""
        count = self.count(transaction, attempt)
        return count is not None and attempt.visitor.fits(
            transaction.context, self.subject(attempt), attempt.key, count
        )

    def held(self, transaction: Transaction, attempt: Attempt) -> bool:
        """Return whether the key of an attempt was the visitor's own at one of the last counts."""
        counts = self.last_counts(transaction, attempt)
        return attempt.visitor.held(transaction.context, self.subject(attempt), attempt.key, counts)


@dataclass(frozen=True)
class ActionsOf(Counter):
    """The count of a player's actions outside games; each such action increments it."""

    name: str

    def subject(self, _attempt: Attempt) -> str:
        """Return the subject of the keys."""
        return self.name

    def count(self, _transaction: Transaction, attempt: Attempt) -> int | None:
        """Return the player's count of actions; 0 for a visitor who is not a player yet."""
        player = attempt.visitor.player
        return player.actions if player else 0

    def last_counts(self, _transaction: Transaction, attempt: Attempt) -> Iterable[int]:
        """Return the player's last counts of actions, the newest first."""
        player = attempt.visitor.player
        return identity.last_counts(player.actions if player else 0)

    def advance(self, transaction: Transaction, attempt: Attempt) -> None:
        """Count an action of the player."""
        queries.count_action(transaction.connection, attempt.player.id)


@dataclass(frozen=True)
class Then:
    """The answer to an action after its commit, and the address to which the action leads.

    `answer` is called outside the transaction, so it may wait or compute. `goal` is recorded whole,
    so it must not contain typed text; it is None for an answer that is given only once.
    """

    answer: Callable[[], Response | Wait]
    goal: str | None = None


TargetAndUser: TypeAlias = tuple[object, queries.User | None]

Outcome: TypeAlias = str | Response | Then | Refused | None
"""The outcome of an action; after a returned refusal, the transaction is still committed."""


def newcomer(transaction: Transaction, attempt: Attempt) -> Player:
    """Make a player of a visitor, named after the certificate."""
    return players.make_player(transaction, identity.certificate_of(attempt.visitor))


@dataclass(frozen=True, kw_only=True, eq=False)
class Action:
    """An action of a player: a link with a key, which acts once, or a prompt behind one.

    `name` is the action's name in its module, for the metrics. `counter` decides which keys fit.
    `does` carries the action out. It returns the address to which the action leads, None for
    `back`, or a page. It raises `Refused` if the typed text cannot be accepted, `OverLimit` if the
    action is impossible at present, and `OutdatedAction` if the state no longer allows it; then
    nothing is stored. If it returns a refusal, its changes are stored, such as the count of tries.
    `asks` returns the sentences of a prompt; after a refusal, the prompt repeats the last of them,
    or `asks_again`. Without a prompt, the link alone acts. With a `word`, only that word confirms.
    `is_secret` hides the typed text in the browser.
    `target` reads what the action acts on, before the key is checked. In a transaction that writes,
    it locks that. The player is locked before the target, unless `holds_player` is False.
    `target_and_user` reads both in one statement, by the certificate's fingerprint, for the first
    check.
    `prepares` reads or computes what `does` needs before anything is locked, since that may take
    long; it raises the same errors. `refuses` returns the response to a refusal, None for the usual
    one.
    An action with `in_turn` waits among the requests to bots; `in_turn` is the response to a player
    who is waiting already. `makes_player` makes a player of a visitor who is not one yet: see
    `newcomer`. `requires` raises `NotFound` if the capsule does not offer the action.
    A link that does not fit leads `back`, with the `notice` above that page. The notice may depend
    on the target, and quotes the typed text if `quotes` returns True. The repetition of a request
    that was answered with a page leads `back` without the notice, if the action `is_remembered`.
    """

    name: str
    counter: Keys
    back: Callable[[Attempt], str] | str
    does: Callable[[Transaction, Attempt], Outcome]
    asks: Callable[[Transaction, Attempt], Sequence[Message]] | None = None
    asks_again: Message | None = None
    word: Message | None = None
    is_secret: bool = False
    target: Callable[[Transaction, Attempt], object] | None = None
    target_and_user: Callable[[Transaction, Arguments, str], TargetAndUser] | None = None
    holds_player: bool = True
    prepares: Callable[[Transaction, Attempt], object] | None = None
    refuses: Callable[[Attempt, Refused], Response | None] = lambda _attempt, _refusal: None
    in_turn: Response | None = None
    makes_player: Callable[[Transaction, Attempt], Player] | None = None
    requires: Callable[[AppContext], None] | None = None
    notice: StaleNotice | Callable[[Transaction, Attempt], StaleNotice] = NOTHING_CHANGED
    quotes: Callable[[Attempt], bool] = lambda _: True
    is_remembered: bool = False

    def __call__(
        self, context: AppContext, request: Request, key: str, **arguments: str | None
    ) -> Response | Wait:
        """Answer a request at one of the action's addresses, as a page does."""
        return perform(self, context, request, key, arguments)

    @cached_property
    def page_name(self) -> str:
        """The action's name in the metrics: its module's name and its own."""
        return f"{self.does.__module__.removeprefix('capsule.')}.{self.name}"

    def goal(self, attempt: Attempt) -> str:
        """Return the address of the page to which a link that does not fit leads."""
        return self.back if isinstance(self.back, str) else self.back(attempt)


def perform(
    action: Action, context: AppContext, request: Request, key: str, arguments: Arguments
) -> Response | Wait:
    """Answer a request for an action: ask, carry it out, or say why nothing was done.

    Raises what `identity.signed_in` raises, `NotFound`, and `TooManyNewcomers`.
    """
    if action.requires is not None:
        action.requires(context)
    with context.reading() as transaction:
        attempt = _read(action, transaction, request, key, arguments)
        ready = _ready(action, transaction, request, attempt)
    if isinstance(ready, Response):
        return ready
    if action.in_turn is None:
        return _answer(action, context, request, ready)

    def answer_in_turn() -> Response:
        answer = _answer(action, context, request, ready)
        return answer if isinstance(answer, Response) else answer.fallback

    return Wait(ready.player.id, answer_in_turn, fallback=action.in_turn)


def _read(
    action: Action, transaction: Transaction, request: Request, key: str, arguments: Arguments
) -> Attempt:
    """Read an attempt from a request, with its visitor and its target."""
    typed, text = (request.typed or "").strip(), request.query or ""
    if action.target_and_user is not None and request.certificate is not None:
        fingerprint = request.certificate.fingerprint
        target, user = action.target_and_user(transaction, arguments, fingerprint)
        if target is not None:
            visitor = identity.signed_in(transaction, request, user)
            return Attempt(visitor, key, typed, text, arguments, target)
    visitor = identity.signed_in(transaction, request)
    return _with_target(action, transaction, Attempt(visitor, key, typed, text, arguments))


def _answer(
    action: Action, context: AppContext, request: Request, attempt: Attempt
) -> Response | Wait:
    """Carry out an action; return its response, or the notice that nothing was done."""
    outcome: Outcome | OutdatedAction
    try:
        attempt, outcome = _carry_out(action, context, request, attempt)
    except (OutdatedAction, Refused) as error:
        outcome = error
    match outcome:
        case Response():
            return outcome
        case Then():
            return outcome.answer()
        case OutdatedAction() | Refused():
            with context.reading() as transaction:
                current = replace(attempt, visitor=identity.visitor_of(transaction, request))
                current = _with_target(action, transaction, current)
                return _failed(action, transaction, request, current, outcome)
    return responses.redirect(outcome or action.goal(attempt))


def _ready(
    action: Action, transaction: Transaction, request: Request, attempt: Attempt
) -> Attempt | Response:
    """Return an attempt that is ready to be carried out, or else the response to it."""
    try:
        _require_key(action, transaction, attempt)
        if action.asks is not None and not _is_answer(action, attempt):
            return _prompt(action, action.asks(transaction, attempt))
        if action.prepares is None:
            return attempt
        return replace(attempt, prepared=action.prepares(transaction, attempt))
    except (OutdatedAction, Refused) as error:
        return _failed(action, transaction, request, attempt, error)


def _failed(
    action: Action,
    transaction: Transaction,
    request: Request,
    attempt: Attempt,
    error: OutdatedAction | Refused,
) -> Response:
    """Return the response to an attempt that failed: the prompt again, if there is one."""
    if isinstance(error, OutdatedAction):
        return _stale(action, transaction, request, attempt)
    if (instead := action.refuses(attempt, error)) is not None:
        return instead
    if action.asks is None or isinstance(error, OverLimit):
        return _refused(action, transaction, attempt, error)
    try:
        question = action.asks_again or action.asks(transaction, attempt)[-1]
    except OutdatedAction:
        return _stale(action, transaction, request, attempt)
    except Refused as refusal:
        return _refused(action, transaction, attempt, refusal)
    return _secret(action, responses.prompt_again(error.message, _named(action, question)))


def _carry_out(
    action: Action, context: AppContext, request: Request, attempt: Attempt
) -> tuple[Attempt, Outcome]:
    """Carry out an action and record it; return the attempt, with its player, and the outcome."""
    counted: AbstractContextManager[None] = nullcontext()
    if attempt.visitor.player is None:
        # The newcomer is counted only if something is stored.
        counted = context.newcomers.counted(request.address_key)
    with counted, context.writing() as transaction:
        attempt = _locked(action, transaction, attempt)
        outcome = action.does(transaction, attempt)
        if isinstance(outcome, Refused):
            return attempt, outcome
        action.counter.advance(transaction, attempt)
        goal = _remembered_goal(action, attempt, outcome)
        if goal is not None:
            queries.record(
                transaction.connection,
                attempt.player.id,
                _digest(context, request),
                goal,
                transaction.now.date(),
            )
    return attempt, outcome


def _remembered_goal(action: Action, attempt: Attempt, outcome: Outcome) -> str | None:
    """Return the goal of a request that is repeated, None if the repetition gets the notice."""
    match outcome:
        case Then():
            return outcome.goal
        case Response() if not action.is_remembered:
            return None
        case str():
            return outcome.partition("?")[0]
    return action.goal(attempt).partition("?")[0]


def _with_target(action: Action, transaction: Transaction, attempt: Attempt) -> Attempt:
    if action.target is None:
        return attempt
    return replace(attempt, target=action.target(transaction, attempt))


def _locked(action: Action, transaction: Transaction, attempt: Attempt) -> Attempt:
    """Lock the player, and after them the target; return the attempt with both as they are now.

    A visitor who is not a player yet becomes one. A locked player can neither be banned nor erased
    until the transaction ends. Raises `OutdatedAction`.
    """
    connection, visitor = transaction.connection, attempt.visitor
    if visitor.player is None:
        certificate = identity.certificate_of(visitor)
        known = queries.player_by_certificate(connection, certificate.fingerprint)
        if known is not None or action.makes_player is None:
            raise OutdatedAction
        new_player = action.makes_player(transaction, attempt)
        activate_language(new_player.settings.language)
        attempt = _with_target(action, transaction, attempt)
        # The key was made for the visitor before they became a player.
        _require_key(action, transaction, attempt)
        return replace(attempt, visitor=replace(visitor, player=new_player))
    if action.holds_player:
        player = queries.player_by_id(connection, visitor.player.id, to_change=True)
        if player is None or not player.is_present(transaction.now):
            raise OutdatedAction
        attempt = replace(attempt, visitor=replace(visitor, player=player))
    attempt = _with_target(action, transaction, attempt)
    _require_key(action, transaction, attempt)
    return attempt


def _require_key(action: Action, transaction: Transaction, attempt: Attempt) -> None:
    """Raise `OutdatedAction` unless the key fits and the visitor is, or can become, a player."""
    if attempt.visitor.player is None and action.makes_player is None:
        raise OutdatedAction
    if not action.counter.fits(transaction, attempt):
        raise OutdatedAction


def _is_answer(action: Action, attempt: Attempt) -> bool:
    if action.word is not None:
        return typed_words.is_typed(attempt.typed, action.word)
    return bool(attempt.text)


def _prompt(action: Action, sentences: Sequence[Message]) -> Response:
    return _secret(action, responses.prompt(*(_named(action, each) for each in sentences)))


def _named(action: Action, sentence: Message) -> Message:
    return sentence if action.word is None else typed_words.naming(sentence, action.word)


def _secret(action: Action, prompt: Response) -> Response:
    return responses.sensitive_prompt(prompt) if action.is_secret else prompt


def _notice(action: Action, transaction: Transaction, attempt: Attempt) -> StaleNotice:
    notice = action.notice
    return notice if isinstance(notice, StaleNotice) else notice(transaction, attempt)


def _refused(
    action: Action, transaction: Transaction, attempt: Attempt, refusal: Refused
) -> Response:
    """Return the response to a refusal: its reason, and the typed text, whose key fits."""
    notice = _notice(action, transaction, attempt)
    sentence = notice.refused.filled(reason=refusal.message)
    refused = replace(notice, text=sentence, link=sentence)
    quoted = _quoted(action, attempt)
    answer = with_notice(action.goal(attempt), refused, quoted, is_own=True)
    return replace(answer, reason=render.translate(refusal.message))


def _stale(
    action: Action, transaction: Transaction, request: Request, attempt: Attempt
) -> Response:
    """Return the response to a link that does not fit.

    The repetition of a request that was carried out leads to the same address. Any other request
    leads to the page with the notice, which quotes the typed text if the key has lately fitted for
    the visitor.
    """
    context, player = transaction.context, attempt.visitor.player
    if player is not None:
        goal = queries.goal_of(
            transaction.connection, player.id, _digest(context, request), transaction.now.date()
        )
        if goal is not None:
            return responses.redirect(goal)
    is_own = action.counter.held(transaction, attempt)
    quoted = _quoted(action, attempt)
    notice = _notice(action, transaction, attempt)
    return with_notice(action.goal(attempt), notice, quoted, is_own=is_own)


def _quoted(action: Action, attempt: Attempt) -> str | None:
    if action.asks is None or action.word is not None:
        return None
    return attempt.text if action.quotes(attempt) else None


def _digest(context: AppContext, request: Request) -> bytes:
    """Return a keyed hash, which identifies a request in the record of those carried out."""
    path = request.path.removesuffix(".json")
    text = f"{path}?{request.query}" if request.query is not None else path
    return hmac.digest(context.secret, f"request\n{text}".encode(), sha256)
