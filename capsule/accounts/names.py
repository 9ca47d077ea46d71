"""Players' names: which can be had, which are alike, and generated ones for those without."""

import hmac
import re
import unicodedata
from collections.abc import Iterable, Set as AbstractSet
from functools import cache
from hashlib import sha256

from capsule.languages.model import LANGUAGES
from capsule.ui.user_text import is_blank
from engine import VARIANTS, Message, Side, Words, in_context, message
from engine.bots.levels import LEVELS, level_label

MIN_NAME_LENGTH, MAX_NAME_LENGTH = 2, 24

NAME_PATTERN = rf"[A-Za-z0-9_-]{{{MIN_NAME_LENGTH},{MAX_NAME_LENGTH}}}"
"""The letters of a name, as a pattern for regular expressions."""

_PLAIN = re.compile(
    "LATIN (SMALL|CAPITAL) LETTER [A-Z] WITH |CJK UNIFIED IDEOGRAPH|HANGUL SYLLABLE"
    "|(BOPOMOFO|HIRAGANA|KATAKANA) LETTER "
)
"""The names in Unicode of letters that are shown themselves, as nobody mistakes them for others."""

_FIT = re.compile(NAME_PATTERN)
_UNFIT = re.compile("[^A-Za-z0-9_-]")
_WORDS = re.compile("[A-Z]+(?![a-z0-9])|[A-Z]?[a-z0-9]+|[A-Z]")
_DIGITS = "0123456789"

AUTHORITIES = tuple(
    "admin administrator helpdesk hostmaster moderator operator owner postmaster sysadmin sysop "
    "webmaster administrador administradora moderador moderadora operador operadora "
    "responsavel".split()
)
"""Words for the people who run the capsule."""

RESERVED = (
    *"""
    about abuse account anonymous anybody anyone banned bannedplayer capsule challenge computer
    crosses deleted desk draw engine erased everybody everyone feed find former formerplayer game
    guest help home host ladder localhost loser machine me message mod moderation myself names new
    nobody none noone nothing noughts null official open openseat opponent people person play player
    program rated rating removed report reserved root rules search seat security server service
    somebody someone spectator staff stranger support system team tournament unknown us user vacant
    visitor winner you yourself
    """.split(),
    # The same in Portuguese; no word of Chinese has letters that a name may have.
    *"""
    adversaria adversario alguem anonima anonimo apagada apagado assento banida banido bola bolas
    computador convidada convidado cruz cruzes desconhecida desconhecido empate espectador
    espectadora eu impar jogador jogadora lugar maquina nenhum nenhuma ninguem oponente par partida
    perdedor perdedora pessoa programa removida removido reservada reservado robo todas todos
    torneio tu usuaria usuario utilizador utilizadora vaga vencedor vencedora visitante voce
    """.split(),
)
"""Names that could be mistaken for words of the pages, also in the plural or with a number.

So could the longer ones with one of the `_QUALIFIERS`, such as "ex-player" and "freeseat", and the
words that stand in place of a name in any language: see `_page_words`.
"""

_QUALIFIERS = tuple(
    """
    absent banned deleted empty erased ex former free open removed reserved taken unknown vacant
    aberta aberto anonima anonimo antiga antigo apagada apagado ausente banida banido desconhecida
    desconhecido livre ocupada ocupado removida removido reservada reservado vaga vago vazia vazio
    """.split()
)
"""Words before or after a reserved one that make no person's name of it."""

_LEAST_QUALIFIED = 4
"""The length of the shortest reserved word that is looked for with a qualifier.

Shorter ones begin and end the names of people.
"""

_LOOK_ALIKE = (("rn", "m"), ("vv", "w"), ("0", "o"), ("1", "l"), ("i", "l"), ("5", "s"))
_LOOK_ALIKE_AT_A_GLANCE = (("nn", "m"), ("cl", "d"))

_ADJECTIVES = tuple(
    """
    amber brave bright calm clever coral crimson curious dapper eager emerald fabled
    gentle golden happy hidden humble indigo ivory jolly keen lively lucky lunar mellow
    merry misty nimble noble patient polar proud quick quiet rapid rustic sage scarlet
    silent silver sly solar steady sunny swift tidy velvet vivid wandering witty
    """.split()
)
_ANIMALS = tuple(
    """
    badger beaver bison bobcat condor cormorant crane curlew dolphin dormouse egret falcon
    ferret finch fox gecko gull hare heron ibex jackdaw kestrel koala lark lemur lynx
    magpie marten mole moth newt ocelot orca osprey otter owl panda petrel plover puffin
    raven robin seal shrew sparrow stoat swan tapir toad vole walrus weasel wombat wren
    yak
    """.split()
)


# Translators: these two stand in the place of a name, also at the beginning of a sentence.
FORMER = Words(message("a former player"))
"""The name on pages of a player who has been erased."""

_BANNED = Words(message("a banned player"))

# Translators: the people who play everyone's game together, in the place of a name.
EVERYONE = Words(message("everyone"))
"""The name that stands for all who vote. No player can have it."""

_SEATS = (
    Words(in_context("in the place of a player", "open seat")),
    Words(in_context("in the place of a player", "reserved seat")),
)


def shown_name(name: str, *, is_struck_out: bool = False) -> str:
    """Return a player's name on pages, "" for a former player, or what stands for it.

    >>> shown_name("alice"), shown_name(""), shown_name("alice", is_struck_out=True)
    ('alice', 'a former player', 'a banned player')
    """
    return _BANNED if is_struck_out else name or FORMER


def bot_name(name: str | None) -> Words:
    """Return the name on pages of one of our bots, or of a player who is a program.

    A player's own name has no space, so that no person can pass for a bot.
    """
    # Translators: a player who is a program, by name, such as “deepblue bot”.
    return Words(message("{name} bot", name=name))


@cache
def level_bot_name(level: str) -> Words:
    """Return the name of our bot of a level.

    >>> level_bot_name("club-plus")
    'club+ bot'
    """
    # Translators: one of our bots, by its level, such as “club bot”.
    return Words(message("{level} bot", level=level_label(level)))


def is_name_of_our_bot(text: str) -> bool:
    """Return whether a text is what people may call our bot of a level.

    >>> [is_name_of_our_bot(each) for each in ("Club", "club-bot", "club+ bot", "clubs")]
    [True, True, True, False]
    """
    level = re.sub("[- ]bot$", "", text.strip().lower()).replace("+", "-plus")
    return level in LEVELS


def letters_problem(name: str) -> Message | None:
    """Return why a text cannot be a name by its length or a character, or None.

    >>> print(letters_problem("two words"))
    A name has no spaces, only letters from a to z, digits, - and _
    """
    unfit = _UNFIT.search(name)
    if unfit is not None:
        return _character_problem(unfit.group(), unfit.start() + 1)
    if not _FIT.fullmatch(name):
        return message(
            "A name has {shortest} to {longest} letters from a to z, digits, - or _. This one has "
            "{count}",
            shortest=MIN_NAME_LENGTH,
            longest=MAX_NAME_LENGTH,
            count=len(name),
        )
    if name[0] in "-_":
        return message("A name begins with a letter or a digit, not with {sign}", sign=name[0])
    return None


def _character_problem(character: str, place: int) -> Message:
    if character == " ":
        return message("A name has no spaces, only letters from a to z, digits, - and _")
    name = unicodedata.name(character, "")
    is_seen = character.isprintable() and not is_blank(character)
    if is_seen or name:
        # Unicode's names are English, and those of ideographs are numbers. A mark needs a place.
        shown = f"\N{DOTTED CIRCLE}{character}" if unicodedata.combining(character) else character
        is_plain = not name or _PLAIN.match(name)
        named = (shown if is_plain else f"{shown} ({name})") if is_seen else name
        return message(
            "Character {place} of this name is {named}. A name has only letters from a to z, "
            "digits, - and _",
            place=place,
            named=named,
        )
    return message(
        "Character {place} of this name is not a letter. A name has only letters from a to z, "
        "digits, - and _",
        place=place,
    )


def impersonation(name: str) -> Message | None:
    """Return what a name with fit letters would wrongly pass for, or None.

    >>> print(impersonation("Expert_Bot"))
    Expert_Bot could be mistaken for a bot
    >>> [impersonation(name) for name in ("Abbot", "Talbot", "chessmaster", "Robotham")]
    [None, None, None, None]
    """
    wholes, words = _wholes(name), _words(name)
    if "oxonaut" in loose_skeleton(name) or not words.isdisjoint(_AUTHORITIES):
        return message("{name} could be mistaken for the operator", name=name)
    if any(map(_BOT.fullmatch, words)) or any(map(_bots_name(tuple(VARIANTS)).fullmatch, wholes)):
        return message("{name} could be mistaken for a bot", name=name)
    if not wholes.isdisjoint(_RESERVED | _page_words(tuple(VARIANTS))) or any(
        map(_is_qualified, wholes)
    ):
        return message("{name} could be mistaken for a word of these pages", name=name)
    return None


def skeleton(name: str) -> str:
    """Return a form of a name that it shares with every name that it could be taken for.

    >>> skeleton("Alice-1") == skeleton("alicel")
    True
    """
    return _replaced(re.sub("[-_]", "", name.lower()), _LOOK_ALIKE)


def loose_skeleton(name: str) -> str:
    """Return a form of a name that it shares with every name that looks like it at a glance.

    Names of one skeleton have one loose skeleton; the reverse need not be so.

    >>> loose_skeleton("clomino") == loose_skeleton("domino")
    True
    """
    return _replaced(skeleton(name), _LOOK_ALIKE_AT_A_GLANCE)


def skeleton_key(secret: bytes, name: str) -> str:
    """Return a keyed hash of a name's loose skeleton: 64 hexadecimal digits.

    It reserves the name of an erased player without storing it.
    """
    return hmac.digest(secret, b"name\n" + loose_skeleton(name).encode(), sha256).hex()


def from_common_name(common_name: str) -> str:
    """Return the name nearest to a certificate's common name; it may be unfit.

    Accents are dropped. So are whole words with letters of other alphabets, since what would be
    left is another word.

    >>> from_common_name("Ada Lovelace <ada@example.org>")
    'Ada-Lovelace'
    >>> from_common_name("José")
    'Jose'
    """
    letters = unicodedata.normalize("NFKD", re.split("[<@]", common_name)[0])
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    words = [word for word in re.findall(r"[\w-]+", bare) if word.isascii()]
    return "-".join(words).strip("-_")[:MAX_NAME_LENGTH].rstrip("-_")


def generated(random_number: int) -> str:
    """Return a readable name picked by a large random number.

    >>> generated(1234567)
    'lucky-lemur-567'
    """
    rest, number = divmod(random_number, 1000)
    rest, animal = divmod(rest, len(_ANIMALS))
    adjective = rest % len(_ADJECTIVES)
    return f"{_ADJECTIVES[adjective]}-{_ANIMALS[animal]}-{number}"


def _wholes(name: str) -> set[str]:
    # A number before or after a name does not make it another: novice and novice7.
    return {loose_skeleton(bare) for bare in (name, name.strip(_DIGITS), name.rstrip(_DIGITS))}


def _is_qualified(whole: str) -> bool:
    """Return whether a loose skeleton is that of a reserved word with a qualifier."""
    bare = {
        each
        for qualifier in _QUALIFYING
        for each in (whole.removeprefix(qualifier), whole.removesuffix(qualifier))
    }
    return any(len(each) >= _LEAST_QUALIFIED and each in _RESERVED for each in bare)


def _words(name: str) -> set[str]:
    parts = re.split("[-_]+", name)
    inner = [word for part in parts for word in _WORDS.findall(part)]
    return {whole for word in (name, *parts, *inner) for whole in _wholes(word)}


def _replaced(name: str, pairs: Iterable[tuple[str, str]]) -> str:
    for letters, letter in pairs:
        name = name.replace(letters, letter)
    return name


def _with_plurals(words: Iterable[str]) -> AbstractSet[str]:
    return {loose_skeleton(f"{word}{ending}") for word in words for ending in ("", "s", "es")}


_RESERVED = _with_plurals(RESERVED)
_QUALIFYING = _with_plurals(_QUALIFIERS)
_AUTHORITIES = _with_plurals(AUTHORITIES)

_BOT = re.compile("(?:ro)?bots?")
"""The loose skeleton of a word that means a bot.

A word that merely begins or ends so may be a person's name: Abbot, Talbot, Botham.
"""


@cache
def _page_words(variants: tuple[str, ...]) -> AbstractSet[str]:
    """Return the loose skeletons of the words that stand in place of a name, in every language.

    They are the names of games, sides, levels and bots, and of players without a name.
    `variants` are the keys of those that are registered now.
    """
    words: list[Message | Words] = [FORMER, _BANNED, EVERYONE, *_SEATS]
    words += [*map(level_label, LEVELS), *map(level_bot_name, LEVELS)]
    for variant in map(VARIANTS.__getitem__, variants):
        words += [Words(in_context("a game", each)) for each in (variant.name, variant.title)]
        words += map(variant.side_name, Side)
    shown = {word.render(each.translations) for each in LANGUAGES.values() for word in words}
    return _with_plurals(variants) | {
        loose_skeleton(name) for name in map(from_common_name, shown) if name
    }


_LEVELS = "|".join(map(loose_skeleton, LEVELS))


@cache
def _bots_name(variants: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of the loose skeletons of bots' names, even with their words run together.

    `variants` are the keys of those that are registered now.
    """
    kinds = (*LEVELS, *variants, "capsule", "chess", "game", "my", "the")
    kind = "|".join(map(loose_skeleton, kinds))
    return re.compile(f"(?:the)?(?:{_LEVELS})|(?:{kind})+bots?|(?:ro)?bots?(?:{kind})+|.*robots?")
