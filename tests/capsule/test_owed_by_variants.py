"""All that a built-in variant owes besides its rules, as `engine/README.md` lists it."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from capsule.learning.lessons.pages import lesson_in
from capsule.learning.reading import EXAMPLES
from capsule.ratings.first_ratings import measured
from capsule.ratings.model import Holder
from engine import VARIANTS, Variant
from engine.bots.registry import VariantBots, bots_of, levels_of
from engine.facts.model import facts_about
from engine.puzzles import puzzles_of
from engine.testing import VariantLaws
from tests.engine import test_laws  # noqa: F401 - its subclasses are looked for

ROOT = Path(__file__).parents[2]
READING = "learning/reading"


def has_page(variant: Variant, folder: str) -> bool:
    return (ROOT / "templates" / folder / f"{variant.key}.gmi").is_file()


def has_laws(variant: Variant) -> bool:
    return any(laws.variant is variant for laws in VariantLaws.__subclasses__())


def golden_games(variant: Variant) -> int:
    return len([*(ROOT / "tests/data/golden").glob(f"{variant.key}-*.txt")])


OWED: Mapping[str, Callable[[Variant], object]] = {
    "words": lambda each: all((each.tagline, each.about, each.summary, each.notation, each.origin)),
    "laws": has_laws,
    "perft": lambda each: (ROOT / f"tests/data/perft/{each.key}.json").is_file(),
    "golden games": lambda each: golden_games(each) >= 2,
    "bots": lambda each: bots_of(each.key) != VariantBots(),
    "ladder": lambda each: all(
        Holder(each.key, None, level) in measured() for level in levels_of(each.key)
    ),
    "puzzles": lambda each: puzzles_of(each.key),
    "facts": lambda each: facts_about(each.key) and has_page(each, f"{READING}/facts"),
    "rules page": lambda each: has_page(each, "lobby/rules"),
    "lesson": lambda each: lesson_in(each.key),
    "example": lambda each: each.key in EXAMPLES and has_page(each, f"{READING}/example"),
    "strategy": lambda each: has_page(each, f"{READING}/strategy"),
    "history": lambda each: has_page(each, f"{READING}/history"),
}
"""The check for each thing that a variant owes."""


def missing(variant: Variant) -> list[str]:
    return [f"{variant.key} has no {thing}" for thing, found in OWED.items() if not found(variant)]


def test_the_built_in_variants_owe_nothing() -> None:
    owed = [line for variant in VARIANTS.values() for line in missing(variant)]
    assert not owed, "\n".join([*owed, "engine/README.md says where each of these stands."])


def test_the_guide_has_the_same_list() -> None:
    guide = (ROOT / "engine/README.md").read_text(encoding="utf-8")
    section = guide.partition("## What a built-in variant must have\n")[2].partition("\n## ")[0]
    assert re.findall(r"^- \*\*(.+?)\*\*", section, re.MULTILINE) == [*OWED]
