"""A capsule that sends mail, to a relay that stores it."""

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import EmailMessage

from capsule.gemini.types import Certificate, Response
from capsule.mail import queries as mail_queries
from capsule.mail.delivery import Delivery
from capsule.mail.model import Subscription, random_key
from capsule.mail.relay import Answer, SendOutcome
from tests.support.client import Client, link
from tests.support.people import known_player
from tests.support.stories import ALICE, BOB, play, start_between

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)

PAGE = "/play/me/mail"

FROM = "Oxonaut <oxonaut@example.org>"


@dataclass
class KeepingRelay:
    """A relay that stores the letters that it accepts, and answers as configured."""

    outcome: SendOutcome = SendOutcome.ACCEPTED
    words: str = "250 OK"
    letters: list[EmailMessage] = field(default_factory=list)
    on_letter: Callable[[], None] = lambda: None

    def send(
        self, message: EmailMessage, recipient: str, before_data: Callable[[], None] = lambda: None
    ) -> Answer:
        """Take a letter, unless configured to refuse."""
        assert message["To"] == recipient
        if self.outcome is not SendOutcome.REFUSED:
            before_data()
        self.on_letter()
        if self.outcome is SendOutcome.ACCEPTED:
            self.letters.append(message)
        return Answer(self.outcome, self.words)


@dataclass
class Post:
    """A capsule with mail, whose mailer works when it is asked to."""

    client: Client
    relay: KeepingRelay = field(default_factory=KeepingRelay)
    log: logging.Logger = field(default_factory=lambda: logging.getLogger("mail"))

    def __post_init__(self) -> None:
        self.client.configure(mail="smtp://localhost", mail_from=FROM)

    @property
    def letters(self) -> Sequence[EmailMessage]:
        """All letters that were accepted."""
        return self.relay.letters

    def deliver(self) -> Sequence[EmailMessage]:
        """Write the looks down, let the mailer work once, and return the new letters."""
        known = len(self.letters)
        self.client.context.game_views.write(self.client.context)
        Delivery(self.client.context, self.relay.send, self.log).work()
        return self.letters[known:]

    def pass_time(self, time: timedelta, step: timedelta) -> Sequence[EmailMessage]:
        """Let time pass in steps, with the mailer at work after each; return the new letters."""
        known, until = len(self.letters), self.client.now + time
        while self.client.now < until:
            self.client.now = min(self.client.now + step, until)
            self.deliver()
        return self.letters[known:]

    def type_address(self, who: Certificate, address: str) -> Response:
        """Type an address on the page of mail."""
        return self.client.ask(self.link(who, "/address", address), who)

    def type_code(self, who: Certificate, code: str) -> Response:
        """Type a code on the page of mail."""
        return self.client.ask(self.link(who, "/code", code), who)

    def subscribe(self, who: Certificate, address: str) -> None:
        """Type an address and the code that comes; the letter with it is put away."""
        self.type_address(who, address)
        (letter,) = self.deliver()
        assert self.type_code(who, code_in(letter)).status == 30
        self.relay.letters.remove(letter)

    def choose(self, who: Certificate, choice: str) -> None:
        """Follow a link of the page of mail, such as "turns/4" or "messages/on"."""
        assert self.client.ask(self.link(who, f"/set/{choice}"), who).status == 30

    def link(self, who: Certificate, end: str, typed: str = "") -> str:
        """Return the link of the page of mail with this end, with what is typed there."""
        found = link(self.client.get(PAGE, who), end)
        return f"{found}?{typed}" if typed else found


def bobs_move(client: Client, variant: str = "ultimate", move: str = "e5") -> str:
    """Let bob begin a game with alice, so that it is her turn; return its address."""
    url = start_between(client, variant, BOB, ALICE)
    play(client, url, [move], BOB)
    return url


def next_turn(client: Client, url: str) -> None:
    """Let alice and bob move in a game of `bobs_move`, so that it is her turn again."""
    play(client, url, ["d4", "a1"], ALICE, BOB)


def code_in(letter: EmailMessage) -> str:
    """Return the code in a letter."""
    return re.findall(r"^    ([A-Z0-9]{8})$", letter.get_content(), re.MULTILINE)[0]


def text_of(letter: EmailMessage) -> str:
    """Return the text of a letter."""
    return letter.get_content()


def stop_link(letter: EmailMessage) -> str:
    """Return the path in the last line of a letter, which stops mail."""
    last = text_of(letter).strip().splitlines()[-1]
    return re.sub("^gemini://[^/]+", "", last)


def store_subscription(client: Client, who: Certificate) -> None:
    """Store a confirmed address of a player, as after a code; a summary is due at eight."""
    player = known_player(client.context, who)
    assert player is not None
    key = random_key(client.context.random_bytes)
    address = f"{who.common_name}@example.net"
    new = Subscription(player.id, address, client.now, key)
    with client.database.writing() as connection:
        mail_queries.save_subscription(connection, new)
        yesterday = client.now.date() - DAY
        mail_queries.save_schedule(connection, player.id, client.now, yesterday)
