"""Actions: what happens between an address with a key and the redirect that answers it."""

import hmac
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Protocol, TypeAlias

from capsule.accounts import identity, players, queries
from capsule.accounts.identity import Visitor
from capsule.accounts.model import Player
from capsule.accounts.queries import User
from capsule.context import AppContext, Transaction
from capsule.errors import OutdatedAction, OverLimit, Refused
from capsule.gemini.types import Request, Response, Wait
from capsule.languages.model import speak_chosen
from capsule.ui import render, responses
from capsule.ui.render import translate
from capsule.ui.typed_words import is_typed, naming
from capsule.ui.user_text import quotation
from engine import Message
from engine.game import message

Arguments: TypeAlias = Mapping[str, str | None]
"""The named parts of an address, apart from the key."""

YOUR_TEXT_WAS = message("Your text was:")

_NOTHING_CHANGED_SINCE = message("Nothing was changed. {reason}.")


@dataclass(frozen=True, slots=True)
class StaleNotice:
    """The sentences that say that nothing was done, and why: for a text, and for a mere link.

    `introduction` stands before the text, where that is shown again. `refused` says the same of
    what was refused for a `reason`.
    """

    text: Message
    link: Message
    introduction: Message = YOUR_TEXT_WAS
    refused: Message = _NOTHING_CHANGED_SINCE


def always(sentence: Message) -> StaleNotice:
    """Return what says the same whether there was a text or not."""
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
    path: str, undone: StaleNotice, typed: str | None = None, *, is_own: bool = False
) -> Response:
    """Return the page at a path of ours below the sentence that says that nothing was done.

    The text that was `typed` is shown again if it came with a key that once was the reader's own:
    otherwise anybody could plant words in our pages.
    """
    sentence = undone.text if typed else undone.link
    text = quotation(typed) if typed and is_own else ""
    words = {"sentence": sentence, "introduction": undone.introduction, "text": text}
    preface = render.render("accounts/outdated.gmi", words)
    return replace(responses.redirect(path), preface=preface)


@dataclass(frozen=True)
class Attempt:
    """An attempt at an action: who attempts it, and what came with the request.

    `typed` is the query as something to be understood and `text` as others will read it, both ""
    if there is none. `arguments` are the named parts of the address, apart from the key, `target`
    is what the action acts on, and `prepared` is what it has made of all this.
    """

    visitor: Visitor
    key: str
    typed: str = ""
    text: str = ""
    arguments: Arguments = field(default_factory=dict)
    target: Any = None
    prepared: Any = None

    @property
    def player(self) -> Player:
        """The player who acts; raises `OutdatedAction` if the visitor is none yet."""
        if self.visitor.player is None:
            raise OutdatedAction
        return self.visitor.player

    def __getitem__(self, name: str) -> str:
        """Return a named part of the address; "" where it has none."""
        return self.arguments.get(name) or ""


class Keys(Protocol):
    """The keys of an action: which of them fit, and whose they are."""

    def fits(self, transaction: Transaction, attempt: Attempt) -> bool:
        """Return whether the key of an attempt fits now.

        In a transaction that writes, what decides that is held from then on.
        """

    def held(self, transaction: Transaction, attempt: Attempt) -> bool:
        """Return whether the key of an attempt was the visitor's own lately."""

    def advance(self, transaction: Transaction, attempt: Attempt) -> None:
        """Have the key that was followed not fit any more."""


class Counter(Keys, Protocol):
    """A count that outdates links: the keys of a subject fit at one of its counts."""

    def subject(self, attempt: Attempt) -> str:
        """Return the subject of the keys."""

    def count(self, transaction: Transaction, attempt: Attempt) -> int | None:
        """Return the count at which a key fits now, None if none does."""

    def last_counts(self, transaction: Transaction, attempt: Attempt) -> Iterable[int]:
        """Return the last counts at which keys have fitted."""

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
    """The count of a player's actions outside games, which each of them raises."""

    name: str

    def subject(self, _attempt: Attempt) -> str:
        """Return the subject of the keys."""
        return self.name

    def count(self, _transaction: Transaction, attempt: Attempt) -> int | None:
        """Return the player's count of actions; 0 for who has not done anything yet."""
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
    """The answer to an action once it is stored, and the address that it has led to.

    `answer` waits or computes outside of the transaction. A `goal`, which has no words that anybody
    typed, is recorded whole; None is for an answer that is given once.
    """

    answer: Callable[[], Response | Wait]
    goal: str | None = None


TargetAndUser: TypeAlias = tuple[object, User | None]

Outcome: TypeAlias = str | Response | Then | Refused | None
"""The outcome of an action: an address, a page, or a refusal after which something stays."""


def newcomer(transaction: Transaction, attempt: Attempt) -> Player:
    """Return the player who is made of a visitor, and called after the certificate."""
    return players.make_player(transaction, identity.certificate_of(attempt.visitor))


@dataclass(frozen=True, kw_only=True, eq=False)
class Action:
    """An action of a player: a link with a key, which acts once, or a prompt behind one.

    `name` is that of the action in its module, for the metrics, and `counter` says when a key fits.
    `does` carries the action out, and returns where it leads, None for `back`, or a page. It raises
    `Refused` if what was typed cannot be done, `OverLimit` if it cannot be done at present, and
    `OutdatedAction` if the state does not allow the action any more; then nothing is stored. If it
    returns a refusal, what it has stored stays, such as a try that was used up.
    `asks` returns the sentences of a prompt; after a refusal, the last of them is asked again, or
    `asks_again`. Without a prompt, the link alone acts. With a `word`, that word is the only
    answer. `is_secret` keeps the browser from showing what is typed.
    `target` reads what the action acts on, before keys are compared; where the transaction writes,
    it holds that until the end. So is the player, before the target, unless `holds_player` is
    False. `target_and_user` reads both at first, in one statement, given the fingerprint of the
    certificate. `prepares` reads what `does` needs, and what may take long, before anything is
    held; it raises as `does`. `refuses` returns what is answered to a refusal, None for what is
    usual.
    An action with `in_turn` is carried out among those that wait for bots, and that is the answer
    to a player who waits there already. `makes_player` makes a player of a visitor who is none yet:
    see `newcomer`. `requires` raises `NotFound` if the capsule has no such action.
    A link that does not fit leads `back`, below the `notice`, which may depend on the target, and
    quotes what was typed if it `quotes` it. So does, silently, the repetition of a request that was
    answered with a page, if it `is_remembered`.
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
        """The name by which the action is measured: that of its module, and its own."""
        return f"{self.does.__module__.removeprefix('capsule.')}.{self.name}"

    def goal(self, attempt: Attempt) -> str:
        """Return the address of the page that a link which does not fit leads back to."""
        return self.back if isinstance(self.back, str) else self.back(attempt)


def perform(
    action: Action, context: AppContext, request: Request, key: str, arguments: Arguments
) -> Response | Wait:
    """Answer a request for an action: ask, carry it out, or say that nothing was done.

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
    """Return the attempt that a request makes, with its visitor and its target."""
    typed, text = (request.typed or "").strip(), request.query or ""
    if action.target_and_user is not None and request.certificate is not None:
        fingerprint = request.certificate.fingerprint
        target, user = action.target_and_user(transaction, arguments, fingerprint)
        if target is not None:
            visitor = identity.signed_in(transaction, request, lambda *_: user)
            return Attempt(visitor, key, typed, text, arguments, target)
    visitor = identity.signed_in(transaction, request)
    return _on_target(action, transaction, Attempt(visitor, key, typed, text, arguments))


def _answer(
    action: Action, context: AppContext, request: Request, attempt: Attempt
) -> Response | Wait:
    """Carry out an action, and return the answer to it or the reason why nothing was done."""
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
                now = replace(attempt, visitor=identity.visitor_of(transaction, request))
                now = _on_target(action, transaction, now)
                return _undone(action, transaction, request, now, outcome)
    return responses.redirect(outcome or action.goal(attempt))


def _ready(
    action: Action, transaction: Transaction, request: Request, attempt: Attempt
) -> Attempt | Response:
    """Return an attempt that is ready to be carried out; else the prompt, or why it is not."""
    try:
        _require_key(action, transaction, attempt)
        if action.asks is not None and not _is_answer(action, attempt):
            return _prompt(action, action.asks(transaction, attempt))
        if action.prepares is None:
            return attempt
        return replace(attempt, prepared=action.prepares(transaction, attempt))
    except (OutdatedAction, Refused) as error:
        return _undone(action, transaction, request, attempt, error)


def _undone(
    action: Action,
    transaction: Transaction,
    request: Request,
    attempt: Attempt,
    error: OutdatedAction | Refused,
) -> Response:
    """Return the answer to an attempt that was refused: the prompt again, if there is one."""
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
    """Carry out an action, record that, and return where it leads, with the player who acted."""
    limited: AbstractContextManager[None] = nullcontext()
    if attempt.visitor.player is None:
        # It is given back if nothing is stored.
        limited = context.newcomers.counted(request.address_key)
    with limited, context.writing() as transaction:
        attempt = _holding(action, transaction, attempt)
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
    """Return the address to which a repetition of a request leads; None if it gets the notice."""
    match outcome:
        case Then():
            return outcome.goal
        case Response() if not action.is_remembered:
            return None
        case str():
            return outcome.partition("?")[0]
    return action.goal(attempt).partition("?")[0]


def _on_target(action: Action, transaction: Transaction, attempt: Attempt) -> Attempt:
    if action.target is None:
        return attempt
    return replace(attempt, target=action.target(transaction, attempt))


def _holding(action: Action, transaction: Transaction, attempt: Attempt) -> Attempt:
    """Return an attempt by the player as they are now, made if need be; raise `OutdatedAction`.

    They are held until the transaction ends, so that they can neither be banned nor be erased, and
    after them the target.
    """
    connection, visitor = transaction.connection, attempt.visitor
    if visitor.player is None:
        certificate = identity.certificate_of(visitor)
        known = queries.player_by_certificate(connection, certificate.fingerprint)
        if known is not None or action.makes_player is None:
            raise OutdatedAction
        made = action.makes_player(transaction, attempt)
        speak_chosen(made.settings.language)
        attempt = _on_target(action, transaction, attempt)
        # The key is that of a certificate which is nobody's yet.
        _require_key(action, transaction, attempt)
        return replace(attempt, visitor=replace(visitor, player=made))
    if action.holds_player:
        held = queries.player_by_id(connection, visitor.player.id, to_change=True)
        if held is None or not held.is_present(transaction.now):
            raise OutdatedAction
        attempt = replace(attempt, visitor=replace(visitor, player=held))
    attempt = _on_target(action, transaction, attempt)
    _require_key(action, transaction, attempt)
    return attempt


def _require_key(action: Action, transaction: Transaction, attempt: Attempt) -> None:
    """Raise `OutdatedAction` unless the key of an attempt fits now, and somebody may act by it."""
    if attempt.visitor.player is None and action.makes_player is None:
        raise OutdatedAction
    if not action.counter.fits(transaction, attempt):
        raise OutdatedAction


def _is_answer(action: Action, attempt: Attempt) -> bool:
    if action.word is not None:
        return is_typed(attempt.typed, action.word)
    return bool(attempt.text)


def _prompt(action: Action, sentences: Sequence[Message]) -> Response:
    return _secret(action, responses.prompt(*(_named(action, each) for each in sentences)))


def _named(action: Action, sentence: Message) -> Message:
    return sentence if action.word is None else naming(sentence, action.word)


def _secret(action: Action, prompt: Response) -> Response:
    return responses.sensitive_prompt(prompt) if action.is_secret else prompt


def _notice(action: Action, transaction: Transaction, attempt: Attempt) -> StaleNotice:
    notice = action.notice
    return notice if isinstance(notice, StaleNotice) else notice(transaction, attempt)


def _refused(
    action: Action, transaction: Transaction, attempt: Attempt, refusal: Refused
) -> Response:
    """Return the page with the reason, and with what was typed by a key that fits."""
    notice = _notice(action, transaction, attempt)
    sentence = notice.refused.filled(reason=refusal.message)
    refused = replace(notice, text=sentence, link=sentence)
    quoted = _quoted(action, attempt)
    answer = with_notice(action.goal(attempt), refused, quoted, is_own=True)
    return replace(answer, reason=translate(refusal.message))


def _stale(
    action: Action, transaction: Transaction, request: Request, attempt: Attempt
) -> Response:
    """Return the answer to a link that does not fit.

    A request that has been carried out leads where it led. Any other leads to the page with the
    notice, which quotes what was typed if the key was the visitor's own lately.
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
    """Return what stands for a whole request in the record of those that were carried out."""
    path = request.path.removesuffix(".json")
    text = f"{path}?{request.query}" if request.query is not None else path
    return hmac.digest(context.secret, f"request\n{text}".encode(), sha256)
