"""The languages, the one in which a page is being written, and their translations.

In a Chinese sentence a space stands beside Latin letters and digits, and none between Chinese
words. A translator cannot know which of them a value will be, such as the side X or 奇數方, and
puts a space, which `SpacedSentence` takes out.
"""

import logging
import re
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel import Locale
from babel.numbers import format_decimal

from capsule.gemini.types import GEMTEXT
from capsule.languages import catalogues
from engine import plugins
from engine.game import ENGLISH as AS_WRITTEN, Translations

_BEGIN, _END = "\ufdd0", "\ufdd1"
"""The marks around a value while its sentence is filled: characters that no text has."""

# Ideographs, and the signs of the same width.
_HAN = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uff5e"

_HAS_SPACE = re.compile(r" %\(| \{|\)s |\} ")
_BEFORE = re.compile(rf"(?<=[{_HAN}]) {_BEGIN}(?=[{_HAN}])")
_AFTER = re.compile(rf"(?<=[{_HAN}]){_END} (?={_BEGIN}?[{_HAN}])")
_ENDS = re.compile(f"[{_BEGIN}{_END}]")


class SpacedSentence(str):
    """A Chinese sentence that has no space beside those of its values that are Chinese.

    >>> turn = SpacedSentence("輪到 %(player)s，第 %(number)s 步")
    >>> turn % {"player": "alice", "number": 5}, turn % {"player": "奇數方", "number": 5}
    ('輪到 alice，第 5 步', '輪到奇數方，第 5 步')
    >>> SpacedSentence("{one} 和 {other} 已經有人下了").format(one="左上", other="e5")
    '左上和 e5 已經有人下了'
    """

    __slots__ = ()

    def __mod__(self, values: Mapping[str, object]) -> str:
        """Return the sentence with the values of a template."""
        return _closed_up(super().__mod__(_marked(values)))

    def format(self, *_: object, **values: object) -> str:
        """Return the sentence with the values of a message, which have names."""
        return _closed_up(super().format(**_marked(values)))


def _marked(values: Mapping[str, object]) -> Mapping[str, str]:
    return {name: f"{_BEGIN}{value}{_END}" for name, value in values.items()}


def _closed_up(text: str) -> str:
    return _ENDS.sub("", _AFTER.sub(_END, _BEFORE.sub(_BEGIN, text)))


def plugin_folders(attribute: str) -> tuple[Path, ...]:
    """Return the folders that plug-ins name as an `attribute` of their modules.

    `TEMPLATES` has templates, of which a variant's rules page is `lobby/rules/<key>.gmi`. `LOCALE`
    has catalogues, each at `<language>/LC_MESSAGES/oxonaut.po`.
    """
    return _folders(attribute, plugins.loaded())


@lru_cache(maxsize=8)
def _folders(attribute: str, names: tuple[str, ...]) -> tuple[Path, ...]:
    modules = (sys.modules[name] for name in names)
    return tuple(getattr(module, attribute) for module in modules if hasattr(module, attribute))


log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Language:
    """A language of pages.

    `key` names it in addresses, settings and folders, `tag` is its name on the wire (BCP 47),
    `name` its name in the language itself, and `english_name` one that every font can show.
    `locale_name` is that of its dates and numbers in CLDR.

    >>> PORTUGUESE.prefix, PORTUGUESE.locale.decimal_formats is None, ENGLISH.prefix
    ('/pt', False, '')
    """

    key: str
    tag: str
    name: str
    english_name: str
    locale_name: str

    @property
    def prefix(self) -> str:
        """The beginning of addresses in this language, "" for English."""
        return "" if self.key == DEFAULT else f"/{self.key}"

    @property
    def gemtext(self) -> str:
        """The META of gemtext in this language."""
        return GEMTEXT.format(tag=self.tag)

    @cached_property
    def locale(self) -> Locale:
        """The format of its dates and numbers."""
        return Locale.parse(self.locale_name)

    @property
    def translations(self) -> NullTranslations:
        """The translations into this language, plug-ins' own among them."""
        # Every word of a page asks for these.
        if self.key == DEFAULT:
            return AS_WRITTEN
        return _translations(self, plugin_folders("LOCALE"))


DEFAULT = "en"
"""The key of the language in which messages and templates are written."""

ENGLISH = Language(DEFAULT, "en", "English", "English", "en")
PORTUGUESE = Language("pt", "pt", "Português", "Portuguese", "pt")
CHINESE = Language("zh", "zh-Hant", "繁體中文", "Chinese (traditional)", "zh_Hant")

LANGUAGES: Mapping[str, Language] = {
    language.key: language for language in (ENGLISH, PORTUGUESE, CHINESE)
}

OFFERED: Mapping[str, Language] = LANGUAGES
"""The languages that visitors may choose: those whose catalogues are complete."""


def load() -> None:
    """Load the languages that are offered, for all processes that this one becomes or forks."""
    for language in OFFERED.values():
        # The format of a number is read with all others of the language.
        locale_of(language.translations).decimal_formats.get(None)


class PageLanguage(NamedTuple):
    """The language of a page, and how its links stay in it.

    It `is_chosen` if it is a player's setting. If `is_carried`, addresses below `/play/` have it as
    a term. `page` is the path of the public page that is requested, "" if none is.
    """

    language: Language
    is_chosen: bool = False
    is_carried: bool = False
    page: str = ""


_IN_ENGLISH = PageLanguage(ENGLISH)

_page_language: ContextVar[PageLanguage] = ContextVar("page_language", default=_IN_ENGLISH)


def active_language() -> Language:
    """Return the language that is active in this thread."""
    return _page_language.get().language


def page_language() -> PageLanguage:
    """Return the language that is active in this thread, and how links stay in it."""
    return _page_language.get()


class override_language:  # noqa: N801 - a context manager, which costs each request less than a function
    """Activate a language in this thread during the block.

    >>> with override_language(CHINESE):
    ...     print(active_language().tag)
    zh-Hant
    """

    def __init__(self, language: Language | PageLanguage) -> None:
        self._page_language = PageLanguage(language) if isinstance(language, Language) else language

    def __enter__(self) -> None:
        self._token = _page_language.set(self._page_language)

    def __exit__(self, *_error: object) -> None:
        _page_language.reset(self._token)


def activate_language(key: str) -> None:
    """Switch to the language of a player's setting until the block of `override_language` ends."""
    _page_language.set(chosen_language(key))


def chosen_language(key: str) -> PageLanguage:
    """Return the language of a player's setting, as links stay in it."""
    return PageLanguage(offered_language(key), is_chosen=True)


def offered_language(key: str) -> Language:
    """Return the language that is offered under a key, English if none is."""
    return OFFERED.get(key, ENGLISH)


class Catalogue(GNUTranslations, Translations):
    """The translations of a catalogue, which also write numbers by the rules of its `locale`."""

    def __init__(self, compiled: bytes, locale: Locale) -> None:
        super().__init__(BytesIO(compiled))
        self.locale = locale
        if locale.language == CHINESE.locale.language:
            sentences: dict[object, str] = vars(self)["_catalog"]
            sentences |= {
                key: SpacedSentence(text)
                for key, text in sentences.items()
                if _HAS_SPACE.search(text)
            }

    def number(self, number: float) -> str:
        """Return a quantity in figures, with the language's marks for thousands and decimals."""
        return format_decimal(number, locale=self.locale)


def locale_of(translations: NullTranslations) -> Locale:
    """Return the format of dates and numbers that goes with translations."""
    return translations.locale if isinstance(translations, Catalogue) else ENGLISH.locale


@cache
def _translations(language: Language, folders: tuple[Path, ...]) -> NullTranslations:
    compiled = catalogues.compiled(catalogues.FOLDER, language.key)
    if compiled is None:
        log.warning("There is no catalogue of %s: its pages are in English", language.key)
        return AS_WRITTEN
    found = Catalogue(compiled, language.locale)
    for folder in folders:
        if (own := catalogues.compiled(folder, language.key)) is not None:
            found.add_fallback(Catalogue(own, language.locale))
    return found
