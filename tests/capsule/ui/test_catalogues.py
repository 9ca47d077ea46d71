"""Catalogues of translations: kept in step with the sentences, compiled, and read as they stand."""

import os
import re
from gettext import NullTranslations
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from capsule.languages import catalogues
from capsule.languages.model import CHINESE, ENGLISH, LANGUAGES, OFFERED, Catalogue, Language
from engine import message, plural
from tests.support.catalogue_faults import faults, missing

OTHERS = [language for language in LANGUAGES.values() if language is not ENGLISH]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a folder of code with a sentence and a plural."""
    folder = tmp_path / "source"
    (folder / "engine").mkdir(parents=True)
    say(folder, 'message("{cell} is taken")', 'plural("{count} day", "{count} days")')
    return folder


@pytest.fixture
def folder(tmp_path: Path, source: Path) -> Path:
    """Return a folder with an updated catalogue of Chinese, in which nothing is translated."""
    made = tmp_path / "locale"
    path_in(made).parent.mkdir(parents=True)
    path_in(made).write_text('msgid ""\nmsgstr ""\n"Language: zh_Hant\\n"\n')
    catalogues.update(made, source)
    return made


def path_in(folder: Path) -> Path:
    return folder / "zh" / "LC_MESSAGES" / "oxonaut.po"


def say(source: Path, *sentences: str) -> None:
    (source / "engine" / "words.py").write_text(
        "\n".join(["# Translators: a comment", *sentences, ""])
    )


def write(folder: Path, english: str, chinese: str) -> None:
    """Translate a sentence, as somebody with an editor does."""
    path = path_in(folder)
    text = path.read_text("utf-8")
    head, found, rest = text.partition(f'msgid "{english}"\n')
    assert found
    path.write_text(head + found + rest.replace('msgstr ""', f'msgstr "{chinese}"', 1), "utf-8")


def in_chinese(folder: Path) -> NullTranslations:
    compiled = catalogues.compiled(folder, "zh")
    assert compiled is not None
    return Catalogue(compiled, CHINESE.locale)


def catalogue_of(key: str) -> Catalog:
    with (catalogues.FOLDER / key / "LC_MESSAGES" / "oxonaut.po").open("rb") as file:
        return read_po(file)


def test_an_updated_catalogue_has_every_sentence_with_its_comment_and_its_file(
    folder: Path,
) -> None:
    text = path_in(folder).read_text("utf-8")
    assert "#. a comment\n#: engine/words.py\n" in text
    assert 'msgid "{cell} is taken"\nmsgstr ""\n' in text
    assert 'msgid_plural "{count} days"\nmsgstr[0] ""\n' in text
    assert "nplurals=1; plural=0;" in text


def test_a_translation_stays_while_other_sentences_come_and_go(folder: Path, source: Path) -> None:
    write(folder, "{cell} is taken", "{cell} 已經有人下了")
    say(source, 'message("{cell} is taken")', 'message("{cell} is free")')
    catalogues.update(folder, source)
    text = path_in(folder).read_text("utf-8")
    assert 'msgid "{cell} is free"\nmsgstr ""\n' in text
    assert message("{cell} is taken", cell="e5").render(in_chinese(folder)) == "e5 已經有人下了"


def test_an_update_without_a_new_sentence_changes_nothing(folder: Path, source: Path) -> None:
    before = path_in(folder).read_bytes()
    catalogues.update(folder, source)
    assert path_in(folder).read_bytes() == before


def test_an_update_keeps_the_order_and_puts_a_new_sentence_behind_the_one_before_it(
    folder: Path, source: Path
) -> None:
    say(source, *(f'message("{each}")' for each in ("C", "D", "A", "B", "{cell} is taken")))
    catalogues.update(folder, source)
    sentences = re.findall('^msgid "(.+)"$', path_in(folder).read_text("utf-8"), re.MULTILINE)
    assert sentences == ["C", "D", "A", "B", "{cell} is taken"]
    say(source, *(f'message("{each}")' for each in ("A", "new", "B", "C", "D")))
    catalogues.update(folder, source)
    sentences = re.findall('^msgid "(.+)"$', path_in(folder).read_text("utf-8"), re.MULTILINE)
    assert sentences == ["C", "D", "A", "new", "B"]


def test_a_translation_is_read_whether_it_has_been_compiled_or_not(folder: Path) -> None:
    assert plural("{count} day", "{count} days", count=2).render(in_chinese(folder)) == "2 days"
    catalogues.compile_all(folder)
    write(folder, "{cell} is taken", "{cell} 已占用")
    later = path_in(folder).stat().st_mtime + 1
    os.utime(path_in(folder), (later, later))
    said = message("{cell} is taken", cell="e5")
    assert said.render(in_chinese(folder)) == "e5 已占用"
    catalogues.compile_all(folder)
    path_in(folder).unlink()
    assert said.render(in_chinese(folder)) == "e5 已占用"


def test_a_folder_without_a_language_has_no_catalogue_of_it(folder: Path) -> None:
    assert catalogues.compiled(folder, "pt") is None


@pytest.mark.slow
def test_the_catalogues_are_in_step_with_the_sentences() -> None:
    wanted = {(each.context, each.id) for each in catalogues.extract() if each.id}
    for language in OTHERS:
        there = {(each.context, each.id) for each in catalogue_of(language.key) if each.id}
        assert there == wanted, "run python -m capsule.languages.catalogues update"


@pytest.mark.parametrize("language", OTHERS, ids=lambda each: each.key)
def test_translations_keep_values_and_have_all_forms(language: Language) -> None:
    assert not [*faults(catalogue_of(language.key))]


@pytest.mark.parametrize("language", OTHERS, ids=lambda each: each.key)
def test_no_language_is_offered_before_its_catalogue_is_complete(language: Language) -> None:
    lacking = [*missing(catalogue_of(language.key))]
    assert language.key not in OFFERED or not lacking, (len(lacking), lacking[:9])


@pytest.mark.parametrize(("language", "word"), [("pt", r"\b(seu|sua|pode)\b"), ("zh", "你")])
def test_a_clause_about_the_reader_is_not_taken_for_one_about_somebody_else(
    language: str, word: str
) -> None:
    """A Portuguese verb without its subject may be that of the name before it."""
    clauses = {
        each.id: str(each.string)
        for each in catalogue_of(language)
        if isinstance(each.id, str) and each.id.startswith("you ")
    }
    assert "you aborted the game" in clauses
    assert not [clause for clause in clauses.values() if not re.search(word, clause)]


def test_a_ban_is_not_taken_for_something_that_the_banned_player_did() -> None:
    """In Chinese, 停權 alone may also be what an account stopped doing."""
    banned = [str(each.string) for each in catalogue_of("zh") if "已停權" in str(each.string)]
    assert not banned
