"""Rendering templates as gemtext: escaping, boards, and the engine's words in translation."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from jinja2.environment import TemplateModule
from jinja2.runtime import Context

from capsule.languages import dates, numbers, time_zones
from capsule.languages.dates import time_left
from capsule.languages.model import active_language, plugin_folders
from capsule.languages.numbers import in_words, score
from capsule.ui import template_syntax
from capsule.ui.links import distinct_labels, fresh, link
from capsule.ui.preferences import Preferences
from capsule.ui.user_text import INVISIBLE, UNPRINTABLE
from engine import VARIANTS, Message, Side, Translations, Words
from engine.bots.levels import level_label
from engine.game import ENGLISH

_CODE = template_syntax.SharedCode()

_IN_LANGUAGES = (Message, Words)

_FIRST_VALUE = re.compile(r"\{(\w+)\}")

MAX_META_BYTES = 1024
"""Bytes that the protocol allows a META to have."""


class Block(str):
    """Text that may have several lines: a preformatted block, or what a macro shows."""

    __slots__ = ()


def single_line(value: object) -> str:
    r"""Return a value as text that stays on its line and in its direction.

    >>> single_line("e5\r\n=> gemini://example.org a trap")
    'e5 => gemini://example.org a trap'

    Nor does it keep characters that cannot be seen: texts of earlier versions may have some.
    """
    text = str(value)
    # Nearly every text is printable, and printable text needs no search.
    return text if text.isprintable() else INVISIBLE.sub("", UNPRINTABLE.sub(" ", text))


def translate(message: Message | Words) -> str:
    """Return a message in the active language, on one line."""
    return single_line(message.render(active_language().translations))


def shown(value: object) -> object:
    """Return a value as pages show it: words in the active language, all else as it is.

    >>> shown(VARIANTS["tinc"].name), shown(7)
    ('Tinc', 7)
    """
    return translate(value) if isinstance(value, _IN_LANGUAGES) else value


def meta(text: str) -> str:
    """Return text that is fit for a META: on one line, at most 1024 bytes of UTF-8."""
    return cut(single_line(text), MAX_META_BYTES)


def cut(text: str, limit: int) -> str:
    """Return a text of at most `limit` bytes of UTF-8, which ends in "…" if it was longer.

    >>> cut("noughts and crosses", 10), cut("noughts", 10)
    ('noughts…', 'noughts')
    """
    encoded = text.encode()
    if len(encoded) <= limit:
        return text
    return encoded[: limit - len("…".encode())].decode(errors="ignore") + "…"


def block(text: str, title: str) -> Block:
    """Return a preformatted block; `title` describes it to readers who cannot see it.

    >>> print(block("~ X", "A grid"))
    ```A grid
    ~ X
    ```
    """
    rows = (single_line(row) for row in text.split("\n"))
    safe = (f" {row}" if row.startswith("```") else row for row in rows)
    return Block("\n".join([f"```{single_line(title)}", *safe, "```"]))


def query(text: str) -> str:
    """Return text as a URL's query.

    >>> query("a1+c3")
    'a1%2Bc3'
    """
    return quote(text, safe="=")


def _when(moment: datetime, preferences: Preferences) -> str:
    return translate(time_zones.local_time(moment, preferences.time_zone))


def _date(moment: datetime, preferences: Preferences) -> str:
    return translate(dates.in_words(time_zones.in_zone(moment, preferences.time_zone)))


def number(quantity: float) -> str:
    """Return a quantity in figures, as the reader's language writes it.

    >>> number(8000), number(6.25), number(3.0)
    ('8,000', '6.25', '3')
    """
    known = active_language().translations
    translations = known if isinstance(known, Translations) else ENGLISH
    return translations.number(int(quantity) if quantity == int(quantity) else quantity)


def _listed(values: Iterable[object]) -> str:
    """Return values as a list in the reader's language, such as “a1, b2, c3”."""
    return translate(Message("{listed}", {"listed": tuple(values)}))


def _beginning(text: str) -> str:
    """Return a whole line that begins with a capital if its language has any."""
    return text[:1].upper() + text[1:]


def opening(value: object) -> str:
    """Return what a sentence or a line opens with: words get a capital, a player's own name none.

    >>> nobody = Words(Message("a former player"))
    >>> opening(nobody), opening("alice"), opening(("alice", nobody))
    ('A former player', 'alice', 'alice, a former player')
    >>> opening(Message("{winner} wins", {"winner": nobody}))
    'A former player wins'
    """
    if isinstance(value, (list, tuple)):
        value = Message("{listed}", {"listed": tuple(value)})
    text = single_line(shown(value))
    return _beginning(text) if _opens_with_words(value) else text


def _opens_with_words(value: object) -> bool:
    if isinstance(value, tuple):
        return bool(value) and _opens_with_words(value[0])
    said = value.message if isinstance(value, Words) else value
    if not isinstance(said, Message):
        return False
    first = _FIRST_VALUE.match(said.template(active_language().translations))
    return first is None or _opens_with_words(said.values[first[1]])


def _finalized(value: object) -> str:
    """Return what a template shows of a value: a block as it is, all else on one line."""
    # Nearly all values are blocks or printable text.
    if isinstance(value, Block) or (type(value) is str and value.isprintable()):
        return value
    return translate(value) if isinstance(value, _IN_LANGUAGES) else single_line(value)


def _lines(parts: Iterable[str]) -> Block:
    return Block("".join(parts))


class _Template(Template):
    """A template whose macros are made once, since all templates have the same globals.

    Jinja would compare these for each import of each page, a tenth of the time of a game's page.
    """

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:
        del ctx
        return super()._get_default_module()


class _Context(Context):
    """The values of a page, none of whose functions asks for the context itself.

    Jinja would look at each function for that whenever it is called.
    """

    def call(
        self,
        function: Callable[..., object],
        /,
        *arguments: object,
        _loop_vars: object = None,
        _block_vars: object = None,
        **named: object,
    ) -> object:
        """Return the result of a function that a template calls."""
        return function(*arguments, **named)


def render(template: str, context: Mapping[str, object]) -> str:
    """Return the page that a template renders from the values in `context`."""
    with distinct_labels():
        text = environment().get_template(template).render(context)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return f"{text.strip()}\n"


def first_template(*names: str) -> str:
    """Return the name of the first of these templates that the capsule or a plug-in has."""
    return str(environment().select_template(names).name)


def environment() -> Environment:
    """Return the environment of the templates in the active language, cached by language.

    Every value that a template shows stays on its line, so that none can forge another line.
    """
    folders = (*plugin_folders("TEMPLATES"), templates_folder())
    return _environment_in(active_language().translations, folders)


def replaced_templates() -> Sequence[str]:
    """Return a line about each template of the capsule that a plug-in replaces."""
    return [
        f"A plug-in replaces the template {name} by {path}"
        for folder in plugin_folders("TEMPLATES")
        for path in sorted(folder.rglob("*.gmi"))
        if (templates_folder() / (name := path.relative_to(folder))).exists()
    ]


@cache
def _environment_in(translations: NullTranslations, folders: tuple[Path, ...]) -> Environment:
    made = Environment(
        loader=FileSystemLoader(folders),
        autoescape=False,  # noqa: S701 - gemtext is not HTML: `finalize` does the escaping
        extensions=[
            template_syntax.CompiledTranslations,
            template_syntax.LineStatements,
            template_syntax.LinkLines,
            template_syntax.Show,
        ],
        finalize=_finalized,
        undefined=StrictUndefined,
        auto_reload=False,
        bytecode_cache=_CODE,
    )
    # A macro's text is made of the templates' own lines and of values that each stay on theirs.
    made.concat = _lines  # type: ignore[method-assign]
    made.template_class, made.context_class = _Template, _Context
    # Templates are given typed objects, so a dot asks for an attribute and never for an item:
    # Jinja's own lookup, which would try both, takes twice as long.
    made.getattr = getattr  # type: ignore[method-assign,assignment]
    # Templates have no values of their own, and do not change while they are used. Jinja would copy
    # the values of each one value by value, and lock a cache for each import.
    made.make_globals = lambda _: made.globals  # type: ignore[method-assign, assignment]
    made.get_template = cache(made.get_template)  # type: ignore[method-assign]
    made.policies["ext.i18n.trimmed"] = True
    template_syntax.install_translations(made, translations)
    made.filters["shown"] = shown
    made.filters["words"] = translate
    made.filters["listed"] = _listed
    made.filters["beginning"] = _beginning
    made.filters["opening"] = opening
    made.filters["link"] = link
    made.filters["query"] = query
    made.filters["level"] = lambda name: translate(level_label(name))
    made.filters["number"] = number
    made.filters["when"] = _when
    made.filters["date"] = _date
    made.filters["time_left"] = lambda time: translate(time_left(time))
    made.filters["score"] = score
    made.globals["comma"] = numbers.COMMA.render(translations)
    made.globals["colon"] = numbers.COLON.render(translations)
    made.globals["space"] = numbers.SPACE.render(translations)
    made.globals["block"] = block
    made.globals["fresh"] = lambda path: Block(fresh(path))
    made.globals["number_of_games"] = _number_of_games
    made.globals["Side"] = Side
    made.globals["VARIANTS"] = VARIANTS
    return made


def _number_of_games() -> str:
    """Return in words how many variants there are."""
    return translate(in_words(len(VARIANTS)))


@cache
def templates_folder() -> Path:
    """Return the folder of templates: beside the code in a wheel, at the top of a checkout."""
    packed = Path(__file__).parents[1] / "templates"
    return packed if packed.is_dir() else Path(__file__).parents[2] / "templates"
