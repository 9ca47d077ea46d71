"""The list of all players, and players found by their names."""

from datetime import timedelta

import pytest

from tests.support.client import Client, links
from tests.support.ladders import LADDER, holders
from tests.support.results import rate, rate_many
from tests.support.stories import ALICE, start

# All players


def test_the_list_of_players_has_the_first_of_each_ladder(client: Client) -> None:
    rate_many(client, "ultimate", {"ann": 1900, "ben": 1800, "cat": 1700, "dan": 1600})
    page = client.get("/players/")
    ultimate = page.partition("### Ultimate\n")[2].partition("\n#")[0]
    assert holders(ultimate) == ["ann", "ben", "cat"]
    assert "1. ann, 1900 ± 90, 40 games" in ultimate
    assert links(ultimate)["The whole ladder of Ultimate"] == LADDER
    assert "The ladder of Tinc: nobody yet" in links(page)


def test_provisional_players_stand_on_it_below_the_ranked_ones(client: Client) -> None:
    rate(client, "tinc", "eve", 1900, uncertainty=400, games=2)
    rate(client, "tinc", "fay", 1700, uncertainty=400, games=1)
    rate_many(client, "quantum", {"ann": 1400, "ben": 1300})
    for name, number in (("eve", 1900), ("fay", 1800)):
        rate(client, "quantum", name, number, uncertainty=400, games=2)
    for name, number in (("ann", 1400), ("ben", 1300), ("cat", 1200)):
        rate(client, "numeric", name, number)
    rate(client, "numeric", "eve", 1900, uncertainty=400, games=2)
    page = client.get("/players/")
    first = {
        name: [*links(page.partition(f"### {name}\n")[2].partition("\n#")[0])][:-1]
        for name in ("Tinc", "Quantum", "Numeric")
    }
    assert first["Tinc"] == ["eve, 1900? ± 400, 2 games", "fay, 1700? ± 400, 1 game"]
    assert [each.split(",")[0] for each in first["Quantum"]] == ["1. ann", "2. ben", "eve"]
    assert [each.split(",")[0] for each in first["Numeric"]] == ["1. ann", "2. ben", "3. cat"]


def test_players_who_have_not_played_for_a_year_do_not_stand_on_it(client: Client) -> None:
    rate(client, "tinc", "eve", 1900, uncertainty=400, games=2)
    client.now += timedelta(days=366)
    assert "eve" not in client.get("/players/").partition("### Tinc\n")[2].partition("\n#")[0]


@pytest.mark.parametrize("path", ["/", "/play/"])
def test_the_way_there_is_on_many_pages(client: Client, path: str) -> None:
    start(client, "tinc", "solo")
    page = client.get(path, ALICE)
    assert links(page)["Players and ladders"] == "/players/"


# Finding somebody


@pytest.mark.parametrize("typed", ["alice", "ALICE", " Alice ", "al1ce"])
def test_a_typed_name_leads_to_its_player(client: Client, typed: str) -> None:
    start(client, "tinc", "solo", ALICE)
    answer = client.type("/players/find", typed)
    assert (answer.status, answer.meta) == (30, "/players/alice")


def test_the_beginning_of_a_name_finds_those_who_have_it(client: Client) -> None:
    rate_many(client, "tinc", {"Marlene": 1, "mar-co": 1, "malte": 1, "zoe": 1})
    page = client.get("/players/find?MAR")
    assert sorted(holders(page)) == ["Marlene", "mar-co"]
    rate_many(client, "tinc", {f"anna-{number:03}": 1 for number in range(30)})
    assert len(holders(client.get("/players/find?anna"))) == 20


@pytest.mark.parametrize(
    "typed",
    [
        "nobody-here",
        "-",
        "_",
        "é",
        "a b",
        "%",
        "*",
        "a%",
        "../me",
        "x" * 900,
        "former 1",
        "=> /x y",
    ],
)
def test_a_name_that_is_nobodys_is_asked_again(client: Client, typed: str) -> None:
    start(client, "tinc", "solo", ALICE)
    answer = client.type("/players/find", typed)
    assert answer.status == 10
    assert answer.meta.startswith("Nobody here is called ")
    assert answer.meta.endswith("The name of a player, or its beginning")


@pytest.mark.parametrize("query", ["", "%20", "%0d%0a"])
def test_an_empty_name_is_asked_for(client: Client, query: str) -> None:
    assert client.ask(f"/players/find?{query}").meta == "The name of a player, or its beginning"
