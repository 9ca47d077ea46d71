"""Names: fit ones, names too alike to be two people's, and impersonations."""

import re
import unicodedata

import pytest
from hypothesis import given, strategies as st

from capsule.accounts import names
from capsule.languages.model import LANGUAGES
from engine import VARIANTS, Message, Side, Words, in_context, message
from engine.bots.levels import LEVELS

SPELLED = st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")

UNFIT = "Character {} of this name is"


@pytest.fixture(autouse=True, scope="module")
def _languages() -> None:
    """Have the words of all languages read, as they are when the capsule starts."""
    names.impersonation("alice")


@given(st.text(max_size=80))
def test_a_common_name_gives_none_or_one_that_begins_as_names_do(common_name: str) -> None:
    made = names.from_common_name(common_name)
    assert made == "" or re.fullmatch("[A-Za-z0-9][A-Za-z0-9_-]{0,23}", made)


@given(st.text())
def test_every_text_is_a_name_or_refused_in_one_sentence(text: str) -> None:
    reason = names.letters_problem(text)
    is_name = re.fullmatch("[A-Za-z0-9][A-Za-z0-9_-]{1,23}", text) is not None
    assert (reason is None) == is_name
    if reason is not None:
        assert str(reason).isprintable(), "what cannot be seen is named, not repeated"


@given(SPELLED, st.integers(0, 1000), st.sampled_from("аеорсухіјѕһɡαον"))
def test_one_foreign_letter_is_found_wherever_it_stands(
    name: str, place: int, imitator: str
) -> None:
    place %= len(name) + 1
    reason = str(names.letters_problem(name[:place] + imitator + name[place:]))
    assert reason.startswith(
        f"Character {place + 1} of this name is {imitator} ({unicodedata.name(imitator)}). "
    )


@pytest.mark.parametrize("name", ["", "x", "n" * 25])
def test_a_name_of_the_wrong_length_is_told_both_lengths(name: str) -> None:
    reason = "A name has 2 to 24 letters from a to z, digits, - or _. This one has"
    assert str(names.letters_problem(name)) == f"{reason} {len(name)}"


@pytest.mark.parametrize("name", ["_alice", "-alice"])
def test_a_name_begins_with_a_letter_or_digit(name: str) -> None:
    reason = f"A name begins with a letter or a digit, not with {name[0]}"
    assert str(names.letters_problem(name)) == reason


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("two words", "A name has no spaces"),
        (
            "Al\N{CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I}ce",
            f"{UNFIT.format(3)} \u0456 (CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I)",
        ),
        (
            "\N{GREEK CAPITAL LETTER ALPHA}lice",
            f"{UNFIT.format(1)} \u0391 (GREEK CAPITAL LETTER ALPHA)",
        ),
        (
            "\N{FULLWIDTH LATIN SMALL LETTER A}lice",
            f"{UNFIT.format(1)} \uff41 (FULLWIDTH LATIN SMALL LETTER A)",
        ),
        (
            "Jos\N{LATIN SMALL LETTER E WITH ACUTE}",
            "Character 4 of this name is \N{LATIN SMALL LETTER E WITH ACUTE}. ",
        ),
        ("王小明", f"{UNFIT.format(1)} 王. "),
        ("al\N{COMBINING ACUTE ACCENT}a", f"{UNFIT.format(3)} ◌\u0301 (COMBINING ACUTE ACCENT). "),
        ("ev\N{GRINNING FACE}", f"{UNFIT.format(3)} 😀 (GRINNING FACE). "),
        ("eve.eve", f"{UNFIT.format(4)} . (FULL STOP). "),
        ("ev\N{HANGUL FILLER}e", f"{UNFIT.format(3)} HANGUL FILLER. "),
        ("ev\u200be", "Character 3 of this name is ZERO WIDTH SPACE"),
        ("ev\x1be", "Character 3 of this name is not a letter"),
    ],
)
def test_each_unfit_character_is_reported_by_its_place_and_name(name: str, reason: str) -> None:
    shown = str(names.letters_problem(name))
    assert shown.startswith(reason)
    assert shown.endswith("only letters from a to z, digits, - and _")


@pytest.mark.parametrize(
    ("one", "other"),
    [("Alice", "alice"), ("al1ce", "alice"), ("b0b", "bob"), ("modern", "modem"), ("a_b", "ab")],
)
def test_look_alikes_are_the_same_name(one: str, other: str) -> None:
    assert names.skeleton(one) == names.skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("clomino", "domino"),
        ("c1omino", "Domino"),
        ("cIomino", "domino"),
        ("nnary", "Mary"),
        ("rnary", "mary"),
        ("vvanda", "wanda"),
        ("a_nn-a", "ama"),
    ],
)
def test_names_that_look_alike_at_a_glance_have_one_look(one: str, other: str) -> None:
    assert names.loose_skeleton(one) == names.loose_skeleton(other)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "form",
    "{} {}-bot {}_Bot {}bot {}Bot {}-bots {}7 {}-robot bot-{} Bot_{} "
    "bot{} robot{} the-{} the{}bot ultimate-{}-bot {}-b0t 007{}".split(),
)
def test_no_name_passes_for_a_bot_of_any_level(level: str, form: str) -> None:
    for name in (form.format(level), form.format(level.upper()), form.format(level.title())):
        assert str(names.impersonation(name)) == f"{name} could be mistaken for a bot"


@pytest.mark.parametrize(
    "name",
    "bot Bot b0t bots r0b0t my-bot MyBot mybot bot007 7bot B-o-t n0vice ex-pert chessbot "
    "tinc-bot irobot bot-lover".split(),
)
def test_no_name_says_that_it_is_a_bot(name: str) -> None:
    assert str(names.impersonation(name)) == f"{name} could be mistaken for a bot"


@pytest.mark.parametrize(
    "name",
    "abbot Abbot Talbot Cabot turbot sabot Robotham bottle Botticelli both botany "
    "chessmaster grand-master MasterMind clubfoot expertise novices casually exeter Alexei "
    "Exupery export Livremont Openshaw Freeman Vagarosa Emptage Lugarda Abertini Banderas "
    "Takenaka Formera Reservoir Pessoalva lone-player Play-Ada".split(),
)
def test_people_whose_names_sound_like_bots_or_words_are_people(name: str) -> None:
    assert names.impersonation(name) is None


@pytest.mark.parametrize(
    "name",
    "admin Admin adm1n ADMIN2 the-operator m0derator oxonaut 0xonaut OxonautFan moderators "
    "Operators2 owner The-Owners 0wner7 helpdesk HelpDesk-1 webmasters adrnin aclmin".split(),
)
def test_no_name_says_that_it_runs_the_capsule(name: str) -> None:
    reason = f"{name} could be mistaken for the operator"
    assert str(names.impersonation(name)) == reason


@pytest.mark.parametrize(
    "name",
    [
        *VARIANTS,
        *(variant.title() for variant in VARIANTS),
        *"ladder find players tournament Tournaments former former-player a-former-player".split(),
        *"anonymous system server help everybody you YOU y0u me nobody open-seat x- O_".split(),
        *"root host Hosts 7host engine engines Engine-3 former-player-2 former_players 3players "
        "open-seat-1 OpenSeats tinc7 guest42 searches rnessages2".split(),
        # Sides and teams, the words for nobody, and the games, in each language.
        *"even Odd ODD 0dd crosses Noughts noone no-one none banned-player reserved-seat "
        "Par impar Pares impares cruzes Bolas ninguem N1nguem vaga vagas Conta-Apagada "
        "conta_banida toda-a-gente quantico Numerico extremo".split(),
        # Levels in Portuguese.
        *"principiante mestre especialista ocasional de-clube mestre2".split(),
        # Other words for those whom a page cannot name, in each spelling.
        *"oponente 0ponente Oponentes adversaria computador computer robo espectadora usuario "
        "lugar vencedor empate winner vaga-aberta VagaAberta vagaaberta vagas-abertas "
        "vaga_livre 7vaga-aberta exjogador Ex-Jogador ex_jogadora exjogadores2 antigo-jogador "
        "jogador-apagado ex-player ExPlayer exp1ayer empty-seat freeseat UnknownOpponent "
        "lugar-reservado0".split(),
    ],
)
def test_no_name_is_a_word_of_the_capsule(name: str) -> None:
    reason = f"{name} could be mistaken for a word of these pages"
    assert str(names.impersonation(name)) == reason


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_is_what_a_page_shows_in_the_place_of_one(language: str) -> None:
    """In the zh catalogue, none of these words has a letter that a name may have."""
    place = "in the place of a player"
    stand_ins: list[Message | Words] = [
        names.FORMER,
        Words(message("a banned player")),
        names.EVERYONE,
        *(Words(in_context(place, each)) for each in ("open seat", "reserved seat")),
        *map(names.level_bot_name, LEVELS),
        *(variant.side_name(side) for variant in VARIANTS.values() for side in Side),
    ]
    shown = [each.render(LANGUAGES[language].translations) for each in stand_ins]
    bare = [name for name in map(names.from_common_name, shown) if name]
    assert bare
    for name in bare:
        spellings = {name, name.upper(), f"{name}2", name.replace("-", "_"), name.replace("-", "")}
        # The letters are those that look alike, such as zero and o.
        spellings |= {name.replace("o", "0"), name.replace("i", "1")}
        fit = {each for each in spellings if names.letters_problem(each) is None}
        assert {each for each in fit if names.impersonation(each) is None} == set(), name


@pytest.mark.parametrize(
    ("common_name", "name"),
    [
        ("Ada Lovelace <ada@example.org>", "Ada-Lovelace"),
        ("José Müller", "Jose-Muller"),
        ("\N{FULLWIDTH LATIN SMALL LETTER A}da", "ada"),
        ("Ada 日本", "Ada"),
        ("\N{CYRILLIC SMALL LETTER A}lice", ""),
        ("日本", ""),
        ("alice@example.org", "alice"),
        ("  --Eve--  ", "Eve"),
    ],
)
def test_a_common_name_becomes_a_name_where_its_letters_allow(common_name: str, name: str) -> None:
    assert names.from_common_name(common_name) == name
