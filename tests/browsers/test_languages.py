"""Newcomers who read Portuguese or Chinese play a first game, and learn a second one."""

import re

import pytest

from capsule.languages.model import CHINESE, ENGLISH, LANGUAGES, Language
from capsule.languages.numbers import in_words
from capsule.learning.lessons.pages import lesson_in
from engine import VARIANTS, in_context
from tests.browsers.conftest import StartBrowser
from tests.support.browsers.amfora import Amfora
from tests.support.browsers.reader import Reader
from tests.support.browsers.steps import look_again

pytestmark = [
    pytest.mark.slow,
    pytest.mark.parametrize("start_browser", [Amfora], indirect=True, ids=[Amfora.name]),
    pytest.mark.parametrize(
        "language",
        [
            pytest.param(each, id=each.key, marks=[] if each is CHINESE else pytest.mark.deep)
            for each in LANGUAGES.values()
            if each is not ENGLISH
        ],
    ),
]


def test_two_newcomers_play_a_game_to_its_end(
    origin: str, start_browser: StartBrowser, language: Language
) -> None:
    alice, bob = Reader(start_browser(), language), Reader(start_browser(), language)
    tinc = VARIANTS["tinc"]
    alice.browser.open(f"{origin}/play/?{language.key}/")
    alice.browser.wait_to_be_asked_for_a_certificate()
    alice.browser.sign_in("alice")
    alice.wait_for("You will play as %(name)s, the name in your certificate.", name="alice")
    alice.follow("Play people, other bots, or on other terms")
    alice.follow("%(variant)s: people, other bots, other terms", variant=tinc.name)
    alice.follow("Invite a friend, rated, on the public lists")
    address = re.compile(r"gemini://localhost:\d+(/play/[a-z2-7]{10})(?= )")
    game = alice.browser.look_for(address.search, "the game's address")[1]

    bob.browser.open(f"{origin}{language.prefix}{game}")
    rated = in_context("of a game", "rated")
    seat = {"host": "alice", "variant": tinc.name, "side": "O", "rated": rated}
    sign_in = "%(host)s invites you to play %(variant)s as %(side)s, %(rated)s: "
    bob.follow(f"{sign_in}sign in to take the seat", **seat)
    bob.browser.wait_to_be_asked_for_a_certificate()
    bob.browser.sign_in("bob")
    bob.follow(f"{sign_in}sign in to take the seat", **seat)
    bob.follow(f"{sign_in}take the seat", **seat)

    position = tinc.start
    players = {"X": alice, "O": bob}
    for played in "a1 c1 b3+d3 d4 a3+e3".split():
        mover = players[str(position.turn)]
        look_again(mover.browser)
        mover.follow("Type your move")
        mover.type(played)
        mover.wait_for_words(position.narration(played))
        position = position.play(played)

    assert position.outcome is not None
    alice.wait_for("You won: %(reason)s", reason=position.outcome.reason)
    look_again(bob.browser)
    bob.wait_for("You lost: %(reason)s", reason=position.outcome.reason)


def test_a_newcomer_learns_a_game_to_a_measurement(
    origin: str, start_browser: StartBrowser, language: Language
) -> None:
    newcomer = Reader(start_browser(), language)
    lesson = lesson_in("quantum")
    assert lesson is not None
    of_lesson = {"variant": lesson.variant.name, "count": len(lesson.steps)}
    newcomer.browser.open(f"{origin}{language.prefix}/")
    newcomer.follow("Rules of the %(count)s games", count=in_words(len(VARIANTS)))
    newcomer.follow("Learn %(variant)s in %(count)s steps", **{**of_lesson, "count": lesson.count})
    for number, typed in enumerate(("A1+C3", "b1+c2", "b2+c3", "c3"), start=1):
        step = {**of_lesson, "number": number}
        title = lesson.steps[number - 1].title
        newcomer.wait_for(
            "%(variant)s, step %(number)s of %(count)s: %(title)s", **step, title=title
        )
        newcomer.follow("Type your answer")
        newcomer.type(typed)
        newcomer.wait_for("%(variant)s, step %(number)s of %(count)s: right", **step)
        after = lesson.steps[number].title
        newcomer.follow("Go on to step %(number)s: %(title)s", number=number + 1, title=after)
