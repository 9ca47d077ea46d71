"""Catalogues of translations: extracting sentences, keeping catalogues in step, and reading them.

A language has one catalogue, `capsule/locale/<language>/LC_MESSAGES/oxonaut.po`, with the words of
the engine, of the capsule and of its templates. `python -m capsule.languages.catalogues update`
merges the sentences of today's code into all of them, and `compile` writes the `.mo` files that the
capsule reads. Installing the capsule compiles them, too; a catalogue that has changed since is read
as it stands. A capsule that finds all of them compiled loads nothing of what this takes.
"""

import argparse
from collections.abc import Iterator, Sequence
from io import BytesIO
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory

from babel.messages.catalog import Catalog

FOLDER = Path(__file__).parents[1] / "locale"

ROOT = Path(__file__).parents[2]
"""The top of a checkout, where sentences are extracted from."""

KEYWORDS = (
    *("message", "InvalidMove", "IllegalMove", "_"),
    *("plural:1,2", "in_context:1c,2", "plural_in_context:1c,2,3"),
    *("Step", "right:2", "wrong:2", "fallback"),
)
"""The calls that mark texts for translators, with the places of contexts and forms of plurals."""

COMMENT_TAG = "Translators:"
"""The beginning of comments in the code that translators read, too."""

_DOMAIN = "oxonaut"


def compiled(folder: Path, language: str) -> bytes | None:
    """Return a language's catalogue in a folder, compiled; None if there is none.

    It is compiled now unless that has been done since it was last changed.
    """
    path = folder / language / "LC_MESSAGES" / f"{_DOMAIN}.po"
    ready = path.with_suffix(".mo")
    if _is_current(ready, path):
        return ready.read_bytes()
    return _compile(_read(path)) if path.exists() else None


def extract(source: Path = ROOT) -> Catalog:
    """Return a catalogue of all sentences in a folder of code and templates, without translations.

    Comments for translators go with them, and the files that they stand in.
    """
    from babel.messages.frontend import CommandLineInterface  # noqa: PLC0415

    keywords = [option for keyword in KEYWORDS for option in ("-k", keyword)]
    options = ["-F", str(ROOT / "pyproject.toml"), "-c", COMMENT_TAG, "--strip-comments"]
    with TemporaryDirectory() as folder:
        template = Path(folder) / f"{_DOMAIN}.pot"
        CommandLineInterface().run(  # type: ignore[no-untyped-call]
            [
                *("pybabel", "-q", "extract", *options, *keywords),
                *("--add-location=file", "--no-wrap", "--sort-by-file"),
                *("-o", str(template), str(source)),
            ]
        )
        found = _read(template)
    for sentence in found:
        files = sorted(
            {Path(name).relative_to(source).as_posix() for name, _ in sentence.locations}
        )
        sentence.locations = [(name, 0) for name in files]
    return found


def update(folder: Path = FOLDER, source: Path = ROOT) -> None:
    """Merge today's sentences into the catalogues of a folder; an empty file becomes a new one.

    Sentences stay in order, and a new one follows its predecessor in the code.
    Translations of sentences that are gone stay at the end as comments, for the translators of
    those that replace them.
    """
    from babel.messages.pofile import write_po  # noqa: PLC0415

    template = extract(source)
    for path in _catalogues(folder):
        catalogue = _read(path, path.parts[-3])
        _head(catalogue)
        # The files change only where a sentence does.
        ordered = _in_order_of(catalogue, template)
        catalogue.update(ordered, no_fuzzy_matching=True, update_creation_date=False)
        with path.open("wb") as file:
            write_po(file, catalogue, width=0, include_lineno=False)


def compile_all(folder: Path = FOLDER) -> None:
    """Write the compiled form of each catalogue of a folder beside it."""
    for path in _catalogues(folder):
        path.with_suffix(".mo").write_bytes(_compile(_read(path)))


def _in_order_of(catalogue: Catalog, template: Catalog) -> Catalog:
    """Return a template with its sentences in the order of a catalogue."""
    places = {(each.context, each.id): number for number, each in enumerate(catalogue)}
    place, placed = 0, []
    for sentence in template:
        place = places.get((sentence.context, sentence.id), place)
        placed.append((place, sentence))
    ordered = Catalog()
    for _, sentence in sorted(placed, key=itemgetter(0)):
        ordered[sentence.id] = sentence
    return ordered


def _head(catalogue: Catalog) -> None:
    """Give a catalogue the header that all have, without places to fill in."""
    language = str(catalogue.locale and catalogue.locale.english_name)
    catalogue.header_comment = f"# {language}"
    catalogue.project, catalogue.version = "Oxonaut", language
    catalogue.msgid_bugs_address = ""
    catalogue.last_translator = catalogue.language_team = "Oxonaut"
    catalogue.revision_date = catalogue.creation_date
    catalogue.fuzzy = False


def _catalogues(folder: Path) -> Iterator[Path]:
    yield from sorted(folder.glob(f"*/LC_MESSAGES/{_DOMAIN}.po"))


def _is_current(ready: Path, source: Path) -> bool:
    """Return whether a compiled catalogue is there, and as new as its source, if that is there."""
    if not ready.exists():
        return False
    return not source.exists() or ready.stat().st_mtime_ns >= source.stat().st_mtime_ns


def _read(path: Path, language: str | None = None) -> Catalog:
    """Return a catalogue; that of a `language` says itself which one, once it has a header."""
    from babel.messages.pofile import read_po  # noqa: PLC0415

    with path.open("rb") as file:
        return read_po(file, locale=language)


def _compile(catalogue: Catalog) -> bytes:
    from babel.messages.mofile import write_mo  # noqa: PLC0415

    for sentence in list(catalogue):
        # Babel would write the singular in the place of a plural that is not translated.
        if sentence.pluralizable and not any(sentence.string or ()):
            catalogue.delete(sentence.id, sentence.context)
    written = BytesIO()
    write_mo(written, catalogue)
    return written.getvalue()


def main(arguments: Sequence[str] | None = None) -> None:
    """Update or compile the capsule's catalogues."""
    parser = argparse.ArgumentParser(
        prog="python -m capsule.languages.catalogues", description=__doc__
    )
    parser.add_argument("command", choices=("update", "compile"))
    if parser.parse_args(arguments).command == "update":
        update()
    else:
        compile_all()


if __name__ == "__main__":
    main()
