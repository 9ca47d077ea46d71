"""The count of sentences: it counts as its definition says, and its report names what to mend."""

from urllib.parse import unquote

from capsule.app import compiled_routes
from capsule.gemini.types import Response
from tests.bench.sentences import report
from tests.support.crawling import Visit
from tests.support.sentences import Counted

LONG = " ".join(["word"] * 26) + "."
OFTEN = "Three in a row win."


def visited(*pages: tuple[str, str], status: int = 20) -> list[Visit]:
    """Return visits of addresses, each with its text."""
    routes, visits = compiled_routes(), []
    for address, text in pages:
        path, _, query = address.partition("?")
        found = routes.find(path, unquote(query))
        meta, body = ("text/gemini", text) if status == 20 else (text, "")
        visits.append(Visit(address, Response(status, meta, body), "/", found and found[0]))
    return visits


def test_each_sentence_counts_once_for_the_mean_and_the_share_of_long_ones() -> None:
    counted = Counted.of(visited(("/", f"# Home\n\n{LONG}\n\nShort.\n"), ("/help/", "Short.\n")))
    assert counted.mean == (26 + 1) / 2
    assert counted.share_of_long == 1 / 2
    assert counted.long() == [LONG]
    assert counted.beneath("/help/").mean == 1


def test_the_end_of_a_prompt_is_a_sentence() -> None:
    counted = Counted.of(visited(("/players/find", "Read. A player's name"), status=10))
    assert [*counted.addresses] == ["Read.", "A player's name"]


def test_a_sentence_is_repeated_in_four_places() -> None:
    rules = [(f"/rules/{name}", f"{OFTEN}\n") for name in ("tinc", "numeric", "quantum")]
    puzzles = [(f"/puzzles/tinc/{number}", f"{OFTEN}\n") for number in (1, 2, 3)]
    assert Counted.of(visited(*rules)).repeated() == []
    assert Counted.of(visited(*puzzles)).repeated() == []
    assert Counted.of(visited(*rules, *puzzles)).repeated() == [OFTEN]


def test_words_of_a_position_are_never_repeated() -> None:
    names = ("tinc", "numeric", "quantum", "ultimate")
    said = "Play in the top left board.\n\nX wins with three marks.\n\nYour turn.\n"
    assert Counted.of(visited(*((f"/rules/{name}", said) for name in names))).repeated() == []


def test_the_report_has_figures_by_folder_and_the_sentences_to_mend() -> None:
    names = ("tinc", "numeric", "quantum", "ultimate")
    visits = visited(("/about", f"{LONG}\n"), *((f"/rules/{name}", f"{OFTEN}\n") for name in names))
    lines = [*report(visits)]
    assert [line.split() for line in lines[1:3]] == [
        ["all", "2", "15.5", "50.0%", "1"],
        ["lobby", "2", "15.5", "50.0%", "1"],
    ]
    assert f" 26 /about\n    {LONG}" in lines
    assert lines[-1].startswith("  4 /rules/numeric ")
    assert f"    {LONG}" not in "\n".join(report(visits, "/rules/"))
