"""Partials are macros: they name what they need, and no value that they show makes a line."""

import pytest
from jinja2 import meta

from capsule.ui.render import environment, templates_folder

INCLUDED = "lobby/rules"
"""The folder of partials that rules pages include, those of plug-ins among them."""

PARTIALS = [
    str(path.relative_to(templates_folder()))
    for path in sorted(templates_folder().rglob("_*.gmi"))
    if path.parent != templates_folder() / INCLUDED
]


@pytest.mark.parametrize("partial", PARTIALS)
def test_a_partial_names_what_it_needs(partial: str) -> None:
    source = (templates_folder() / partial).read_text(encoding="utf-8")
    made = environment()
    undeclared = meta.find_undeclared_variables(made.parse(source, filename=partial))
    # Jinja's name for what a `trans` block holds while it makes a plural.
    assert undeclared - {"_trans"} <= set(made.globals), partial


def rendered(source: str, **values: object) -> str:
    return environment().from_string(source).render(values)


SECTION = """%% macro section(text)
Somebody said:
> {{ text }}
%% endmacro
"""


def test_a_macro_is_shown_with_its_own_lines_and_no_others() -> None:
    page = rendered(f"{SECTION}Before\n%% show section(text)\nAfter", text="well\n=> /trap played")
    assert page.splitlines() == ["Before", "Somebody said:", "> well => /trap played", "After"]


def test_what_is_no_macro_is_shown_on_one_line() -> None:
    assert rendered("%% show text\n", text="a\n=> /trap").splitlines() == ["a => /trap"]
    page = rendered(f"{SECTION}%% show section(text)|upper\n", text="a")
    assert page.splitlines() == ["SOMEBODY SAID: > A "]
