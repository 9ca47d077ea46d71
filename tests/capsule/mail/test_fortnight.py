"""A fortnight of four players, whose letters are compared with an account of who is owed what."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from random import Random

import pytest

from capsule.games.model import StoredGame
from capsule.gemini.types import Certificate
from capsule.languages.time_zones import in_zone
from tests.support.client import Client, action, certificate, find_stored
from tests.support.conversation import say, set_player
from tests.support.mail import DAY, HOUR, MINUTE, Post, text_of
from tests.support.stored import player_id
from tests.support.stories import ALICE, BOB, CAROL, play, start, start_between

DAVE = certificate("dave")

SUBSCRIBERS = (ALICE, BOB, CAROL)


@dataclass
class Owed:
    """What one subscriber is to be told, by what they chose and what has happened to them.

    `delay` is that of turns, None for the summary at eight alone. `turns` are those that wait, by
    game: their number and when they came about. `news` wait for no hour.
    """

    zone: str
    delay: timedelta | None
    summary_on: date
    turns: dict[str, tuple[int, datetime]] = field(default_factory=dict)
    news: set[str] = field(default_factory=set)
    letters: list[datetime] = field(default_factory=list)
    waiting: set[str] = field(default_factory=set)

    def is_summary_due(self, now: datetime) -> bool:
        """Return whether the next letter is the summary of a day."""
        local = in_zone(now, self.zone)
        return self.summary_on < local.date() and local.hour >= 8

    def due_at(self, now: datetime) -> set[str]:
        """Return what a letter would tell now."""
        is_summary = self.is_summary_due(now)
        turns = {
            f"{game}?turn-{number}"
            for game, (number, at) in self.turns.items()
            if is_summary or (self.delay is not None and at + self.delay <= now)
        }
        return self.news | turns

    def letters_of_day(self, now: datetime) -> int:
        """Return how many letters came within a day, or on the player's day if those are more."""
        today = in_zone(now, self.zone).date()
        return max(
            sum(at > now - DAY for at in self.letters),
            sum(in_zone(at, self.zone).date() == today for at in self.letters),
        )

    def must_be_told(self, now: datetime) -> set[str]:
        """Return what cannot wait for the summary: all but what comes about after five letters."""
        due = self.due_at(now)
        if self.is_summary_due(now):
            return due
        if self.letters_of_day(now) >= 5:
            self.waiting |= due
        return due - self.waiting

    def note_letter(self, now: datetime) -> None:
        """Strike off what a letter has told."""
        told = self.due_at(now)
        self.turns = {
            game: (number, at)
            for game, (number, at) in self.turns.items()
            if f"{game}?turn-{number}" not in told
        }
        self.news, self.waiting = set(), set()
        self.letters.append(now)


@dataclass
class World:
    """The players, their games, and an account of what each is owed."""

    client: Client
    post: Post
    random: Random
    owed: Mapping[Certificate, Owed]
    games: list[tuple[str, Certificate, Certificate]] = field(default_factory=list)
    messages: int = 0
    waits: int = 0

    def stored(self, url: str) -> StoredGame:
        """Return a game as it stands."""
        found = find_stored(self.client.context, url.removeprefix("/play/"))
        assert found is not None
        return found

    def note_turn(self, url: str, x: Certificate, o: Certificate) -> None:
        """Note whose turn it is now."""
        game = self.stored(url)
        for who in (x, o):
            if who not in self.owed:
                continue
            self.owed[who].turns.pop(url, None)
            if game.is_playing and game.mover.player_id == player_id(self.client, who):
                number = game.ply + 1
                self.owed[who].turns[url] = number, self.client.now

    def begin(self) -> None:
        """Let two players begin a game."""
        x, o = self.random.sample([*SUBSCRIBERS, DAVE], 2)
        url = start_between(self.client, "numeric", x, o)
        self.games.append((url, x, o))
        self.note_turn(url, x, o)

    def move(self) -> None:
        """Let whoever is to move in some game do so; a game that ends is over for good."""
        url, x, o = self.random.choice(self.games)
        mover = x if self.stored(url).mover.player_id == player_id(self.client, x) else o
        moves = list(self.stored(url).variant.replay(self.moves(url)).legal_moves())
        play(self.client, url, [self.random.choice(moves)], mover)
        self.note_turn(url, x, o)
        if not self.stored(url).is_running:
            self.end(url, o if mover is x else x)

    def moves(self, url: str) -> list[str]:
        """Return the moves of a game."""
        record = self.client.get(f"{url}/record.json")
        return re.findall(r'"([^"]+)"', re.search(r'"moves": \[(.*?)\]', record, re.DOTALL)[1])  # type: ignore[index]

    def end(self, url: str, told: Certificate) -> None:
        """Note that a game is over, of which one player has to be told."""
        self.games = [each for each in self.games if each[0] != url]
        if told in self.owed:
            self.owed[told].news.add(f"{url}?end")

    def look(self) -> None:
        """Let a player look at a game."""
        url, *players = self.random.choice(self.games)
        who = self.random.choice(players)
        self.client.get(url, who)
        if who in self.owed:
            self.owed[who].turns.pop(url, None)

    def say(self) -> None:
        """Let a player write to the opponent, after a look at the page."""
        url, x, o = self.random.choice(self.games)
        author, reader = self.random.sample([x, o], 2)
        say(self.client, url, "hello", author)
        self.messages += 1
        if author in self.owed:
            self.owed[author].turns.pop(url, None)
        if reader in self.owed:
            self.owed[reader].news.add(f"{url}/messages?{self.messages}")

    def resign(self) -> None:
        """Let a player give up."""
        url, x, o = self.random.choice(self.games)
        if self.stored(url).ply < 2:
            return
        loser, winner = self.random.sample([x, o], 2)
        answer = self.client.type(action(self.client.get(url, loser), "resign"), "resign", loser)
        assert answer.meta == url
        for who in (loser, winner):
            if who in self.owed:
                self.owed[who].turns.pop(url, None)
        self.end(url, winner)

    def compare(self) -> None:
        """Let the mailer work, and compare what it sends with the account."""
        now = self.client.now
        letters = {each["To"]: each for each in self.post.deliver()}
        for who, owed in self.owed.items():
            letter = letters.pop(f"{who.common_name}@example.net", None)
            due = owed.due_at(now)
            if letter is not None:
                told = re.findall(
                    r"gemini://localhost(/play/[a-z2-7]{10}(?:/messages)?\?[a-z0-9-]+)$",
                    text_of(letter),
                    re.MULTILINE,
                )
                assert Counter(told) == Counter(due), (who.common_name, now)
                limit = 6 if owed.is_summary_due(now) else 5
                assert owed.letters_of_day(now) < limit, (who.common_name, now)
                owed.note_letter(now)
            else:
                assert not owed.must_be_told(now), (who.common_name, now)
                self.waits += bool(due)
            if owed.is_summary_due(now) and (letter is not None or not due):
                owed.summary_on = in_zone(now, owed.zone).date()
        assert not letters


def fortnight(client: Client, post: Post, seed: int, days: int) -> World:
    """Let days pass in which things happen at random, and compare each delivery."""
    today = client.now.date()
    owed = {
        ALICE: Owed("UTC", None, today),
        BOB: Owed("America/New_York", HOUR, today),
        CAROL: Owed("Asia/Tokyo", 4 * HOUR, today),
    }
    start(client, "tinc", "solo", DAVE)
    for who, each in owed.items():
        start(client, "tinc", "solo", who)
        set_player(client, who, time_zone=each.zone)
        post.subscribe(who, f"{who.common_name}@example.net")
        post.choose(who, "time/off")
        post.choose(who, "messages/on")
        post.choose(who, "results/on")
        if each.delay is not None:
            post.choose(who, f"turns/{each.delay // HOUR}")
    world = World(client, post, Random(seed), owed)
    world.compare()
    until = client.now + days * DAY
    while client.now < until:
        client.now += world.random.choice((20 * MINUTE, HOUR, 3 * HOUR))
        if len(world.games) < 6:
            world.begin()
        happening = world.random.choices(
            (world.move, world.look, world.say, world.resign), (8, 4, 1, 1)
        )
        client.now += MINUTE
        happening[0]()
        client.now += MINUTE
        world.compare()
    return world


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(2, marks=pytest.mark.slow),
        *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(3, 8)),
    ],
)
def test_a_fortnight(client: Client, post: Post, seed: int) -> None:
    world = fortnight(client, post, seed, days=14)
    assert len(world.post.letters) > 40
