"""Three months of a capsule with twelve people and five programs, from its first evening on.

They go through three month ends, a stop of five days over one of them, an erasure and a ban. All
public pages are read each week.
"""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from urllib.parse import quote

import pytest
from sqlalchemy import select, update

from capsule.db.schema.games import games, moves
from capsule.db.schema.players import players
from capsule.games.model import GameStatus
from capsule.processes.housekeeping import steps
from capsule.puzzles import daily
from tests.support.client import Client, certificate, link, links
from tests.support.console import Console
from tests.support.everyone import newest, reply
from tests.support.gemtext import blocks
from tests.support.stored import player_id
from tests.support.stories import WON_GAMES, action_in, open_game, play, record, start_between

NAMES = tuple("ada ben cleo dan eva finn gus hana ida jon kim leo".split())
"""The people, each of whom beats all who come later."""

PROGRAMS = tuple(f"program{number}" for number in range(5))
CERTIFICATES = {name: certificate(name) for name in (*NAMES, *PROGRAMS)}

DAY = timedelta(days=1)
BEGINNING = datetime(2026, 11, 19, 18, tzinfo=UTC)
STOPS = datetime(2027, 1, 30, tzinfo=UTC)
STARTS_AGAIN = datetime(2027, 2, 4, 9, tzinfo=UTC)
IDLE, IDLE_MONTH = "jon", 1
ERASED, ERASED_ON = "leo", datetime(2027, 1, 10, tzinfo=UTC)
BANNED, BANNED_ON = "kim", datetime(2027, 2, 10, tzinfo=UTC)
LAST_DAY = datetime(2027, 2, 22, tzinfo=UTC)

PAGES = (
    *("/", "/games/", "/players/", "/feed", "/feed.xml", "/news", "/news/feed", "/news/feed.xml"),
    *("/season/", "/season/2026-11", "/cups/", "/cups/feed", "/cups/feed.xml"),
    *("/everyone/", "/everyone/1", "/everyone/feed"),
)


@dataclass
class House:
    """The capsule and those who are in it; `present` are the people who play."""

    client: Client
    console: Console
    random: Random = field(default_factory=lambda: Random(28))
    present: list[str] = field(default_factory=lambda: list(NAMES))
    finished: list[str] = field(default_factory=list)
    votes: int = 0
    news: datetime | None = None

    def open(self) -> None:
        """Have everybody come on the first evening, and play."""
        self.client.now = BEGINNING
        for name, other in zip(NAMES, (*NAMES[1:], NAMES[0]), strict=True):
            self.meet(name, other, "tinc")
        for name in PROGRAMS:
            start_between(self.client, "tinc", CERTIFICATES[name], CERTIFICATES["ada"])
            with self.client.database.writing() as connection:
                connection.execute(
                    update(players)
                    .where(players.c.id == player_id(self.client, CERTIFICATES[name]))
                    .values(program_since=BEGINNING)
                )

    def meet(self, x: str, o: str, variant: str) -> None:
        """Have two players play a game to its end."""
        begin = self.random.choice((open_game, start_between))
        both = CERTIFICATES[x], CERTIFICATES[o]
        url = begin(self.client, variant, *both)
        play(self.client, url, WON_GAMES[variant].split(), *both)
        self.finished.append(url)

    def live(self, today: datetime) -> None:
        """Live through a day, from the sweep after midnight to the evening."""
        self.client.now = today + timedelta(seconds=30)
        self.sweep()
        self.client.now = today + timedelta(hours=10)
        self.sweep()
        self.play_games_of_cups()
        pairs = self.random.sample(self.present, 4)
        self.meet(pairs[0], pairs[1], self.random.choice(("tinc", "numeric", "quantum")))
        if self.random.random() < 0.3:
            self.meet(pairs[2], self.random.choice(PROGRAMS), "numeric")
        for name in self.random.sample(self.present, 3):
            self.vote(name)
        self.solve(pairs[3])
        self.look_for_news()
        if today.day >= 20:
            self.enter_cup()
        if today.weekday() == 0:
            self.talk()
            self.read_everything()
        if today.day == 1:
            self.console.admin(f'news "The month of {today:%B} begins"')
            self.news = today

    def sweep(self) -> None:
        """Do what is due, as the periodic sweep does it, and let the bot answer."""
        for step, _ in steps(self.client.context):
            step(self.client.context)
        game = newest(self.client).stored
        while game.bot_to_move and game.is_running:
            variant, made = game.variant, record(self.client, f"/play/{game.id}")["moves"]
            game = reply(self.client, variant.replay(made).random_move(self.random)).stored

    def vote(self, name: str) -> None:
        """Vote for the next move of everyone's game."""
        who, game = CERTIFICATES[name], newest(self.client).stored
        offered = [
            url
            for url in links(self.client.get("/play/everyone/", who)).values()
            if url.partition("?")[0].endswith("/vote")
        ]
        if offered:
            made = record(self.client, f"/play/{game.id}")["moves"]
            move = game.variant.replay(made).random_move(self.random)
            address = f"{offered[0].partition('?')[0]}?{quote(move, safe='')}"
            answer = self.client.ask(address, who)
            assert (answer.status, answer.meta) == (30, "/play/everyone/"), answer
            self.votes += 1

    def solve(self, name: str) -> None:
        """Answer the position of the day."""
        who = CERTIFICATES[name]
        offered = links(self.client.get("/play/daily/", who)).get("Type your answer")
        position = daily.position_today(self.client.now)
        if offered and position:
            solution = position.puzzle.solutions[0]
            assert self.client.ask(f"{offered}?{quote(solution)}", who).status == 30
            shared = self.client.get(f"/play{position.path}/share.gmi", who)
            assert "I found it at the first try." in shared
            assert fits_a_gemlog(shared, position.path)
            assert "I found" not in self.client.get(f"{position.path}/share.gmi")

    def look_for_news(self) -> None:
        """Find the news of the month on the home page for a week, and on their own for good."""
        if self.news is not None:
            text = f"The month of {self.news:%B} begins"
            is_new = self.client.now - self.news < timedelta(days=7, hours=10)
            assert (text in self.client.get("/")) is is_new
            assert text in self.client.get("/news")

    def enter_cup(self) -> None:
        """Have all enter the next cup who have not, apart from two."""
        for name in self.present[:-2]:
            who = CERTIFICATES[name]
            for url in links(self.client.get("/play/cups/", who)).values():
                if url.endswith("/enter"):
                    assert self.client.ask(url, who).status == 30

    def play_games_of_cups(self) -> None:
        """Have the stronger player win each game of the cups, by resignation in move seven."""
        names = {player_id(self.client, CERTIFICATES[name]): name for name in self.present}
        with self.client.database.reading() as connection:
            running = connection.execute(
                select(games.c.id, games.c.variant, games.c.x_player_id, games.c.o_player_id).where(
                    games.c.tournament_id.is_not(None), games.c.status == GameStatus.PLAYING
                )
            ).all()
        for game_id, variant, x_id, o_id in running:
            players_ = [names.get(x_id), names.get(o_id)]
            is_idle = IDLE in players_ and self.client.now.month == IDLE_MONTH
            if None in players_ or is_idle:
                continue
            url, (x, o) = f"/play/{game_id}", players_
            played = WON_GAMES[variant].split()[: 3 if variant == "numeric" else 4]
            play(self.client, url, played, CERTIFICATES[x], CERTIFICATES[o])
            loser = CERTIFICATES[max(x, o, key=NAMES.index)]
            address = action_in(self.client, url, loser, "resign")
            assert self.client.ask(f"{address}?resign", loser).status == 30

    def talk(self) -> None:
        """Comment on the last listed game and on everyone's, and look at it as one shares it."""
        listed = [url for url in self.finished if self.is_listed(url)]
        url, who = listed[-1], CERTIFICATES[self.random.choice(self.present)]
        for commented in (url, f"/play/{newest(self.client).stored.id}"):
            address = link(self.client.get(f"{commented}/comments", who), "/comment")
            answer = self.client.ask(f"{address}?{quote('What a game!')}", who)
            assert answer.status == 30, answer
            assert "What a game!" in self.client.get(f"{commented}/comments")
        assert fits_a_gemlog(self.client.get(f"{url}/share.gmi"), url)

    def is_listed(self, url: str) -> bool:
        with self.client.database.reading() as connection:
            statement = select(games.c.listed).where(games.c.id == url.removeprefix("/play/"))
            return connection.execute(statement).scalar_one()

    def read_everything(self) -> None:
        """Read the pages that anyone can read, as a visitor, as a person and as a program."""
        for path in PAGES:
            for name in (None, "ada", "program0"):
                who = CERTIFICATES[name] if name else None
                answer = self.client.ask(path, who)
                assert answer.status == 20, (path, answer)
        for path in ("/play/", "/play/everyone/", "/play/cups/", "/play/daily/"):
            assert self.client.get(path, CERTIFICATES["ada"])
        program = CERTIFICATES["program0"]
        for path, action in (("/play/everyone/", "/vote"), ("/play/cups/", "/enter")):
            assert action not in self.client.get(path, program), "it is for people"


def fits_a_gemlog(text: str, path: str) -> bool:
    """Return whether a text is narrow, its block is closed, and it links to the page at a path."""
    lines = text.splitlines()
    is_narrow = max(len(line) for line in lines if not line.startswith("=> ")) <= 80
    has_address = any(line.startswith(f"=> gemini://localhost{path} ") for line in lines)
    return is_narrow and len(blocks(text)) == 1 and has_address


@pytest.fixture
def house(client: Client, console: Console) -> House:
    return House(client, console)


@pytest.mark.deep
def test_three_months_with_company(house: House, client: Client) -> None:
    house.open()
    client.now = BEGINNING + timedelta(minutes=5)
    house.sweep()
    today = datetime(2026, 11, 20, tzinfo=UTC)
    frozen: dict[str, str] = {}
    while today < LAST_DAY:
        if today == ERASED_ON:
            erase(client, ERASED)
            house.present.remove(ERASED)
        if today == BANNED_ON:
            house.console.admin(f'ban {BANNED} "used an engine"')
            house.present.remove(BANNED)
        if STOPS <= today < STARTS_AGAIN:
            client.now = today = STARTS_AGAIN.replace(hour=0)
            client.restart()
        house.live(today)
        if today.day == 5:
            month = f"{today - 6 * DAY:%Y-%m}"
            frozen[month] = client.get(f"/season/{month}")
        today += DAY
    assert list(frozen) == ["2026-11", "2026-12", "2027-01"]
    seasons_stay_as_they_froze(client, frozen)
    cups_have_winners(client)
    each_day_had_one_vote(house)
    assert house.news == datetime(2027, 1, 1, tzinfo=UTC), "on 1 February the capsule was stopped"
    nothing_is_listed_without_a_person(client)


def erase(client: Client, name: str) -> None:
    """Have a player delete their account."""
    who = CERTIFICATES[name]
    answer = client.type(link(client.get("/play/me/", who), "/erase"), "erase", who)
    assert answer.status in (20, 30), answer


def seasons_stay_as_they_froze(client: Client, frozen: dict[str, str]) -> None:
    """Assert that neither later games nor a ban changed a frozen table, and that it lost a name."""
    for month, page in frozen.items():
        assert places_on(client.get(f"/season/{month}")) == places_on(page), month
    last = client.get("/season/2026-12")
    assert f". {ERASED}: " not in last
    assert "a former player" in last
    assert f". {BANNED}: " in client.get("/season/2027-01"), "banned after the table had frozen"
    assert f". {BANNED}: " not in client.get("/season/2027-02")


def places_on(page: str) -> list[str]:
    """Return the places on a page of a season's table, without names."""
    return re.findall(r"([0-9]+\. ).*(: [0-9]+ points?, [0-9]+ games?)$", page, re.MULTILINE)


def cups_have_winners(client: Client) -> None:
    """Assert that December's and January's cup are over, and won by the strongest."""
    for month in ("2026-12", "2027-01"):
        assert "ada won the cup on " in client.get(f"/cups/{month}")
    won = client.get("/cups/").partition("## Winners")[2]
    assert "December 2026, Ultimate: ada" in won
    assert "January 2027, Numeric: ada" in won
    assert client.ask("/cups/2026-11").status == 51


def each_day_had_one_vote(house: House) -> None:
    """Assert that people moved once a day at most, and that several games have ended."""
    with house.client.database.reading() as connection:
        rows = connection.execute(
            select(games.c.id, moves.c.played_at)
            .join(moves, moves.c.game_id == games.c.id)
            .where(games.c.everyones_side.is_not(None), moves.c.side == games.c.everyones_side)
        ).all()
    days = [played_at.date() for _, played_at in rows]
    assert len(days) == len(set(days))
    assert 60 < len(days) <= 95
    assert house.votes > len(days)
    assert newest(house.client).number > 3


def nothing_is_listed_without_a_person(client: Client) -> None:
    """Assert that every listed game has a seat of a person's, or the people's."""
    programs = select(players.c.id).where(players.c.program_since.is_not(None))
    with client.database.reading() as connection:
        listed = connection.execute(
            select(games).where(
                games.c.listed,
                games.c.everyones_side.is_(None),
                games.c.x_player_id.is_(None) | games.c.x_player_id.in_(programs),
                games.c.o_player_id.is_(None) | games.c.o_player_id.in_(programs),
            )
        ).all()
    assert listed == []
