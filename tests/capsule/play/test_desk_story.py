"""What waits for a player: the way to the next game, and all such games on one page, the desk."""

import re
from datetime import timedelta

from capsule.gemini.types import Certificate
from engine import VARIANTS
from tests.support.client import BEGINNING, Client, certificate, link, links
from tests.support.events import without_events
from tests.support.gemtext import blocks, prose
from tests.support.stories import (
    ALICE,
    BOB,
    CAROL,
    NOTHING_PLAYED,
    WON_GAMES,
    challenge,
    play,
    record,
    start,
    start_between,
    undone,
)
from tests.support.tournaments import resign


def next_from(client: Client, url: str, who: Certificate = ALICE) -> str:
    """Return the address to which the link to the next game leads from the page of a game."""
    answer = client.ask(links(client.get(url, who))["Next game"], who)
    assert answer.status == 30
    return answer.meta


def leads_to(answer: str, page: str) -> bool:
    """Return whether an address is that of a page, new to a browser."""
    return re.fullmatch(rf"{page}\?at-[0-9]+", answer) is not None


def labels(page: str) -> list[str]:
    return re.findall(r"^=> \S+ (.+)$", page, re.MULTILINE)


def test_after_a_move_the_first_link_is_the_game_whose_clock_is_shortest(
    client: Client, game: str
) -> None:
    later = start_between(client, "tinc", ALICE, CAROL)
    client.now += timedelta(hours=4)
    start_between(client, "quantum", ALICE, CAROL)
    client.now -= timedelta(hours=28)
    soonest = start_between(client, "numeric", ALICE, BOB)
    client.now += timedelta(hours=28)

    play(client, game, ["e5"], ALICE)

    page = client.get(game, ALICE)
    assert "You played e5 on" in page
    assert labels(page)[:5] == [
        "Next game",
        "Refresh",
        "Live (Lagrange shows it as it grows; Amfora only at its end)",
        "Rules of Ultimate",
        "Plan an answer in advance: if … then …",
    ]
    assert leads_to(next_from(client, game), soonest)
    play(client, soonest, ["b2=5"], ALICE)
    assert leads_to(next_from(client, soonest), later)


def test_of_games_with_the_same_time_for_a_move_the_next_one_has_waited_longest(
    client: Client, game: str
) -> None:
    play(client, game, ["e5"], ALICE)
    first = start_between(client, "tinc", ALICE, CAROL)
    client.now += timedelta(minutes=1)
    second = start_between(client, "numeric", ALICE, BOB)
    client.now += timedelta(minutes=1)
    play(client, game, ["d4"], BOB)
    assert leads_to(client.ask("/play/next", ALICE).meta, first)
    play(client, first, ["a1"], ALICE)
    assert leads_to(client.ask("/play/next", ALICE).meta, second)


def test_a_game_is_passed_over_on_the_way_to_the_next_one(client: Client, game: str) -> None:
    passed = game.removeprefix("/play/")
    assert leads_to(client.ask("/play/next", ALICE).meta, game)
    assert leads_to(client.ask(f"/play/next?{passed}", ALICE).meta, "/play/")
    other = start_between(client, "tinc", ALICE, CAROL)
    assert leads_to(client.ask(f"/play/next?{passed}", ALICE).meta, other)
    assert leads_to(client.ask("/play/next?nothing", ALICE).meta, game), "no game has that name"


def test_whoever_is_not_signed_in_comes_to_the_next_game_by_signing_in(
    client: Client, game: str
) -> None:
    way = client.ask("/play/next").meta
    assert client.ask(way).status == 60
    assert leads_to(client.ask(way, ALICE).meta, game)
    assert leads_to(client.ask(way, certificate("somebody new")).meta, "/play/")


def test_the_way_to_the_next_game_stays_in_a_language_that_nobody_has_chosen(
    client: Client,
) -> None:
    answer = client.ask("/play/next?lang=pt", certificate("somebody new"))
    assert re.fullmatch(r"/play/\?pt/at-[0-9]+", answer.meta)


def test_where_it_is_your_turn_nothing_precedes_the_link_to_type_a_move(client: Client) -> None:
    url = start_between(client, "ultimate")
    start_between(client, "tinc")
    assert labels(client.get(url, ALICE))[:2] == ["Type your move", "Rules of Ultimate"]
    assert "Next game" not in links(client.get(url, ALICE))
    quantum = start_between(client, "quantum")
    play(client, quantum, ["a1+b2", "a1+b2"], ALICE, BOB)
    found = labels(client.get(quantum, ALICE))
    assert found[:2] == ["Type your move", "Rules of Quantum"], "though two moves are links"
    assert found[2].startswith("a1: settles o2 in a1")


def test_an_offer_to_answer_waits_too_but_after_the_games_to_move_in(
    client: Client, game: str
) -> None:
    other = start_between(client, "tinc", BOB, ALICE)
    play(client, game, ["e5"], ALICE)
    client.get(link(client.get(other, BOB), "/draw"), BOB)
    assert leads_to(next_from(client, game), other)
    challenge(client, "alice", "numeric", CAROL)
    quantum = start_between(client, "quantum", ALICE, CAROL)
    assert leads_to(next_from(client, game), quantum)
    assert labels(client.get(game, ALICE)).count("Your games") == 1
    assert "All waiting games on one page" in links(client.get("/play/", ALICE))


def test_games_that_are_played_alone_wait_for_nobody(client: Client, game: str) -> None:
    alone = start(client, "numeric", "solo")
    play(client, game, ["e5"], ALICE)
    assert leads_to(next_from(client, game), "/play/")
    listed = client.get("/play/", ALICE)
    assert listed.startswith("# Your games\n")
    assert (
        links(listed.partition("## Games you play alone")[2])["Numeric alone: move 1, Odd to play"]
        == alone
    )
    assert client.get("/play/desk", ALICE).startswith("# Nothing waits for you\n")


def test_a_game_that_ends_leads_on_too(client: Client, game: str) -> None:
    other = start_between(client, "tinc", ALICE, CAROL)
    resign(client, game, ALICE)
    assert leads_to(next_from(client, game), other)


def test_the_page_of_a_game_says_nothing_of_other_games(client: Client, game: str) -> None:
    play(client, game, ["e5"], ALICE)
    start(client, "numeric", "solo", CAROL)
    before = {who: client.get(game, who) for who in (ALICE, BOB, CAROL)}
    start_between(client, "tinc", ALICE, CAROL)
    start_between(client, "tinc", CAROL, BOB)
    client.forget_pages()
    assert {who: client.get(game, who) for who in before} == before
    assert all("Your games" in links(page) for page in before.values())
    assert "Your games" not in client.get(game)
    assert client.get("/play/", CAROL).startswith("# Your games (1 waiting)\n")


def test_a_rematch_that_is_offered_is_the_next_game(client: Client, game: str) -> None:
    play(client, game, ["e5"], ALICE)
    ended = start_between(client, "tinc", ALICE, CAROL)
    resign(client, ended, ALICE)
    assert leads_to(next_from(client, game), "/play/")
    rematch = client.ask(link(client.get(ended, CAROL), "/rematch"), CAROL).meta
    offered = links(client.get(rematch, CAROL))["The game that you have offered"]
    assert leads_to(next_from(client, game), offered)


def test_a_game_that_nobody_has_joined_waits_for_an_opponent_whoever_begins(
    client: Client, game: str
) -> None:
    start(client, "numeric", "open")
    client.now += timedelta(hours=4)
    other = start_between(client, "tinc", ALICE, CAROL)

    play(client, game, ["e5"], ALICE)

    assert leads_to(next_from(client, game), other)
    page = client.get("/play/", ALICE)
    assert page.startswith("# Your games (1 waiting)\n")
    assert labels(page)[:3] == [
        "Tinc with carol: move 1, you are X, 7 days left",
        "Start a game",
        "Numeric, no opponent yet: move 1, you are Odd, 6 days left",
    ]
    assert page.index("## Waiting for your opponent") < page.index("Numeric, no opponent yet")
    assert "Numeric" not in client.get("/play/desk", ALICE)


# The desk


DESK = "/play/desk"


def games_on(page: str) -> list[str]:
    """Return the games of a page of the desk, in order."""
    return re.findall(r"^=> (/play/[a-z2-7]{10}) ", without_events(page), re.MULTILINE)


def test_each_game_that_waits_has_its_board_what_happened_and_the_link_to_move(
    client: Client,
) -> None:
    urls = {}
    for variant, moves in WON_GAMES.items():
        urls[variant] = start_between(client, variant, BOB, ALICE)
        play(client, urls[variant], moves.split()[:1], BOB)
        client.now += timedelta(minutes=1)
    page = client.get(DESK, ALICE)
    assert page.startswith("# Waiting for you: 5 games\n")
    assert games_on(page) == list(urls.values()), "the shortest clock first"
    for (variant, url), block in zip(urls.items(), blocks(page), strict=True):
        name, first = VARIANTS[variant].name, WON_GAMES[variant].split()[0]
        position = VARIANTS[variant].replay([first])
        shown = blocks(client.get(url, ALICE))[0]
        assert block == shown
        assert f"## {name} with bob, 7 days left" in page
        sentence = next(line for line in prose(page).splitlines() if f"played {first}" in line)
        assert sentence.startswith("Move 2: bob (")
        assert sentence.endswith(str(position.instruction()))
        key = link(client.get(url, ALICE), "/move").split("/")[-2]
        typing = links(page)[f"Type your move: {name} with bob"]
        assert typing == f"{DESK}/{url.removeprefix('/play/')}/{key}/move"
        assert links(page)[f"Go to the game: {name} with bob"] == f"{url}?turn-2"


def test_moves_are_made_from_the_desk_one_after_the_other(client: Client) -> None:
    urls = []
    for variant in ("ultimate", "numeric", "tinc"):
        urls.append(start_between(client, variant, ALICE, BOB))
        client.now += timedelta(minutes=1)
    for url, move in zip(urls, ("e5", "b2=5", "a1"), strict=True):
        page = client.get(DESK, ALICE)
        answer = client.type(next(iter(links(page).values())), move, ALICE)
        assert (answer.status, answer.meta.partition("-")[0]) == (30, f"{DESK}?at")
        client.now += timedelta(seconds=2)
        assert client.ask(answer.meta, ALICE) == client.ask(DESK, ALICE)
        assert record(client, url)["moves"] == [move]
    assert client.get(DESK, ALICE).startswith("# Nothing waits for you\n")
    assert links(client.get(DESK, ALICE))["Start a game"] == "/play/new/"


def test_prompts_of_the_desk_say_in_which_game_a_move_is_typed(client: Client) -> None:
    start_between(client, "numeric", ALICE, BOB)
    move = link(client.get(DESK, ALICE), "/move")
    asked = client.ask(move, ALICE)
    assert asked.status == 10
    assert asked.meta.startswith("Numeric with bob. Place one of 1, 3, 5, 7, 9")
    again = client.ask(f"{move}?b2=4", ALICE)
    assert again.status == 10
    assert again.meta.startswith("4 belongs to Even")
    assert again.meta.endswith(". Numeric with bob: your move, Odd")


def test_a_move_at_the_desk_that_ends_its_game_leads_to_the_result(client: Client) -> None:
    url = start_between(client, "numeric", ALICE, BOB)
    *before, last = WON_GAMES["numeric"].split()
    play(client, url, before, ALICE, BOB)
    answer = client.type(link(client.get(DESK, BOB), "/move"), last, BOB)
    assert (answer.status, answer.meta) == (30, url)


def test_a_link_of_the_desk_moves_once_and_for_its_player_alone(client: Client) -> None:
    url = start_between(client, "numeric", ALICE, BOB)
    move = link(client.get(DESK, ALICE), "/move")
    for who in (BOB, CAROL):
        said = undone(client, f"{move}?b2=5", who, url)
        assert said == "Nothing was played: that page showed an earlier position."
        assert undone(client, move, who, url) == NOTHING_PLAYED
    assert record(client, url)["moves"] == []
    assert client.ask(f"{move}?b2=5", ALICE).meta.startswith(f"{DESK}?at-")
    assert client.ask(f"{move}?b2=5", ALICE).meta.startswith(f"{DESK}?at-"), "once more"
    assert undone(client, f"{move}?a1=3", ALICE, url).endswith("Your move was:\n> a1=3")
    assert undone(client, move, ALICE, url) == NOTHING_PLAYED
    assert record(client, url)["moves"] == ["b2=5"]
    assert client.ask(move.replace(url[6:], "aaaaaaaaaa"), ALICE).status == 51
    assert client.ask(f"{move.replace(url[6:], 'aaaaaaaaaa')}?b2=5", ALICE).status == 51


def test_the_desk_has_ten_games_a_page_and_loses_none(client: Client) -> None:
    made = []
    for number in range(12):
        # Nobody takes more than ten seats a day.
        client.now = BEGINNING + timedelta(hours=3 * number)
        made.append(start_between(client, "numeric", ALICE, BOB))
    first = client.get(DESK, ALICE)
    assert games_on(first) == made[:10]
    second = client.get(links(first)["More waiting games"], ALICE)
    assert games_on(second) == made[10:]
    assert second.startswith("# Waiting for you: 12 games\n")
    back = client.get(links(second)["Waiting games before these"], ALICE)
    assert games_on(back) == made[:10]
    assert links(second)["The most urgent games"] == DESK
    assert client.get(f"{DESK}?nonsense", ALICE) == first


def test_offers_and_challenges_are_on_the_desk_and_games_played_alone_are_not(
    client: Client,
) -> None:
    alone = start(client, "quantum", "solo", ALICE)
    url = start_between(client, "ultimate", BOB, ALICE)
    client.get(link(client.get(url, BOB), "/draw"), BOB)
    start(client, "tinc", "solo", CAROL)
    challenge(client, "alice", "numeric", CAROL)
    page = client.get(DESK, ALICE)
    assert page.startswith("# Waiting for you: 2 games\n")
    assert alone not in page
    assert links(page)["Answer in Ultimate with bob: a draw is offered"] == f"{url}?draw-0"
    assert any(
        label.startswith("Answer in Numeric with carol: a challenge, you would be")
        for label in links(page)
    )
    assert "/move" not in page


def test_the_desk_is_its_players_own(client: Client) -> None:
    url = start_between(client, "ultimate", ALICE, BOB)
    assert url in client.get(DESK, ALICE)
    assert url not in client.get(DESK, BOB)
    assert client.ask(DESK, certificate("new")).meta == "/play/"
    answer = client.ask(DESK)
    assert (answer.status, answer.meta[:6]) == (30, "/play/")
