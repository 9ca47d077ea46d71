"""Sentences that are put together from pieces: what a linter finds in templates and in Python.

A translator gets each text on its own, so each has to be a whole sentence, label or name.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product

from jinja2 import Environment, nodes

from capsule.ui.template_syntax import LineStatements, Show

_SHOWN = re.compile(r"^[ \t]*%% show .*\n", re.MULTILINE)
_LINE_KIND = re.compile(r"=> \S+ |#{1,3} |\* |> ?|```")
_PIECE = re.compile("⟦(?P<text>[^⟧]*)⟧")
_ITEM = re.compile("⟦[^⟧]*⟧|⟪[^⟫]*⟫|⟨[^⟩]*⟩")
_SIGN = re.compile(r"[,:.;!?…)]|– | – | ?\(| $")
_SIGNS = {"comma": "⟨, ⟩", "colon": "⟨: ⟩", "space": "⟨ ⟩"}
_SIGNS_ALONE = re.compile(r"(⟪\w+⟫|[^\w\s])+")
_CASES = {"capitalize", "lower", "title", "upper"}
_ENDS = re.compile(r"[.!?…:][”\")]*$")
_PLACEHOLDER = re.compile(r"%\((\w+)\)s")
_ARTICLE = re.compile(r"\b[Aa]n? (⟪|\{|%\()")
_NO_BEGINNING = re.compile(r"[,;:.)]|(and|but|or) ")
_NO_END = re.compile(r"[,;(]$")
_CALL = re.compile(
    r"\b(message|Message|plural|in_context|plural_in_context|InvalidMove|IllegalMove|_)\("
)
_TYPED_WORD = re.compile(r"\bType (?!an? |your )[a-z]+")
_WORD_AND_SPACE = re.compile(r"[^\W\d_]{2} | [^\W\d_]{2}")

LITERAL_CALLS = {
    "message": slice(0, 1),
    "Message": slice(0, 1),
    "InvalidMove": slice(0, 1),
    "IllegalMove": slice(0, 1),
    "_": slice(0, 1),
    "plural": slice(0, 2),
    "in_context": slice(1, 2),
    "plural_in_context": slice(1, 3),
}
"""Calls with texts for translators, and which of their arguments these are."""


# Templates


def faults_of_template(source: str) -> Iterator[str]:
    """Yield what is glued in a template, with the line as it would be read.

    In such a line a text for translators stands in ⟦⟧, a value in ⟪⟫, a sign of the reader's
    language in ⟨⟩.
    """
    tree = _parser().parse(_SHOWN.sub("\n", source))
    for line in dict.fromkeys(_lines_of_template(tree)):
        yield from (f"{fault}: {line}" for fault in _faults_of_line(line))
    for changed in tree.find_all(nodes.Filter):
        if changed.name in _CASES and not _is_key(changed.node):
            yield f"a filter changes the case of a word in line {changed.lineno}"
        if changed.name == "join" and "," in str(changed.args):
            yield f"a list is joined in English in line {changed.lineno}"
    for joined in tree.find_all((nodes.Concat, nodes.Add)):
        if any(_is_words(part) for part in joined.find_all((nodes.Filter, nodes.Call))):
            yield f"words are joined by an operator in line {joined.lineno}"


@cache
def _parser() -> Environment:
    """Return an environment that leaves sentences in the tree as Jinja's own extension does."""
    made = Environment(extensions=["jinja2.ext.i18n", LineStatements, Show], autoescape=False)
    made.policies["ext.i18n.trimmed"] = True
    made.install_null_translations(newstyle=True)
    return made


def _faults_of_line(line: str) -> Iterator[str]:
    kind = _LINE_KIND.match(line)
    text = line[kind.end() :] if kind else line
    if any(_SIGN.match(between) for between in _ITEM.split(text)[1:]):
        yield "a sign stands outside of the texts"
    text = re.sub("[⟨⟩]", "", text)
    pieces = [*_PIECE.finditer(text)]
    is_list = not any(_ENDS.search(piece["text"]) for piece in pieces)
    for piece in pieces:
        words = piece["text"]
        before, after = text[: piece.start()], text[piece.end() :]
        if after.strip() and not _may_follow(after, words, is_list=is_list):
            yield "a text goes on after its end"
        if before.strip() and not _may_precede(before, words, is_list=is_list):
            yield "a text begins within a sentence"
        if _is_part(words):
            yield "a text is a part of a sentence"
        if _ARTICLE.search(words):
            yield "a placeholder after an article"


def _is_part(words: str) -> bool:
    """Return whether a text is a part of a sentence, and not the way to write a value alone."""
    if _SIGNS_ALONE.fullmatch(words):
        return False
    return bool(_NO_BEGINNING.match(words) or _NO_END.search(words))


def _may_follow(after: str, words: str, *, is_list: bool) -> bool:
    """Return whether a line may continue: with the next sentence, or the next of some facts."""
    return after.startswith(", ") if is_list else bool(_ENDS.search(words)) and after[0] == " "


def _may_precede(before: str, words: str, *, is_list: bool) -> bool:
    """Return whether a text may follow: after a name and its colon, a fact or a whole sentence."""
    if before.endswith(": ") or (is_list and before.endswith(", ")):
        return True
    is_beginning = words[:1].isupper() or words[:1] in "⟪“0123456789"
    return is_beginning and bool(re.search(r"([.!?…:][”\")]*⟧?|⟫) $", before))


def _lines_of_template(tree: nodes.Template) -> Iterator[str]:
    """Yield the lines of a template in all ways in which its branches may come out."""
    bodies = [tree.body]
    inner = (nodes.Macro, nodes.CallBlock, nodes.FilterBlock, nodes.AssignBlock)
    bodies += [node.body for node in tree.find_all(inner)]
    for body in bodies:
        lines = _Lines()
        lines.read(body)
        yield from lines.finished
        yield from lines.open


class _Lines:
    """Lines of a template: those that have ended, and the beginnings of the one being read."""

    def __init__(self) -> None:
        self.finished: list[str] = []
        self.open: set[str] = {""}

    def read(self, body: Iterable[nodes.Node]) -> None:
        for node in body:
            self._read(node)

    def _read(self, node: nodes.Node) -> None:
        match node:
            case nodes.Output():
                for piece in node.nodes:
                    self._append(piece)
            case nodes.If():
                branches = [node.body, *(each.body for each in node.elif_), node.else_]
                self._read_one_of(branches)
            case nodes.For():
                self._read_one_of([node.body, node.else_])
            case nodes.With() | nodes.Scope() | nodes.Block():
                self.read(node.body)

    def _read_one_of(self, branches: Iterable[list[nodes.Node]]) -> None:
        before, after = self.open, set[str]()
        for branch in branches:
            self.open = before
            self.read(branch)
            after |= self.open
        self.open = after

    def _append(self, piece: nodes.Expr) -> None:
        if isinstance(piece, nodes.TemplateData | nodes.Const):
            data = piece.data if isinstance(piece, nodes.TemplateData) else str(piece.value)
            first, *others = data.split("\n")
            self.open = {line + first for line in self.open}
            for other in others:
                self.finished += self.open
                self.open = {other}
        else:
            sign = _SIGNS.get(piece.name) if isinstance(piece, nodes.Name) else None
            said = [sign] if sign else _texts(piece) or ["⟪value⟫"]
            self.open = {line + text for line, text in product(self.open, said)}


def _texts(piece: nodes.Expr) -> list[str]:
    """Return the texts for translators in an expression: two for a plural, none for a value."""
    match piece:
        case (
            nodes.Call(node=nodes.Name(name="gettext"), args=[nodes.Const(value=str(text))])
            | nodes.Call(node=nodes.Name(name="pgettext"), args=[_, nodes.Const(value=str(text))])
        ):
            texts = [text]
        case (
            nodes.Call(node=nodes.Name(name="ngettext"), args=[one, several, *_])
            | nodes.Call(node=nodes.Name(name="npgettext"), args=[_, one, several, *_])
        ):
            texts = [each.value for each in (one, several) if isinstance(each, nodes.Const)]
        case _:
            texts = []
    return [f"⟦{_PLACEHOLDER.sub('⟪value⟫', text)}⟧" for text in texts]


def _is_key(node: nodes.Expr | None) -> bool:
    """Return whether a value is a key of the code, such as a side in an address."""
    return isinstance(node, nodes.Name) and node.name == "side"


def _is_words(node: nodes.Node) -> bool:
    match node:
        case nodes.Filter(name="words" | "when" | "date" | "duration"):
            return True
        case nodes.Call(
            node=nodes.Name(name="gettext" | "ngettext" | "pgettext" | "npgettext" | "_")
        ):
            return True
        case _:
            return False


# Python


def faults_of_python(source: str) -> Iterator[str]:
    """Yield what is glued in the messages of a Python file, with its line."""
    if _CALL.search(source):
        found = _faults_of_tree(ast.parse(source))
        yield from (f"line {line}: {fault}" for line, fault in found)


def _faults_of_tree(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
            if any(_is_message(side) for side in (node.left, node.right)):
                yield node.lineno, f"a message is joined: {ast.unparse(node)}"
        elif _is_message(node) and isinstance(node, ast.Call) and node.args:
            yield from ((node.lineno, fault) for fault in _faults_of_message(node))


def _faults_of_message(call: ast.Call) -> Iterator[str]:
    for text in call.args[LITERAL_CALLS[_name(call.func)]]:
        yield from _faults_of_text(text)
    for value in call.keywords:
        if isinstance(value.value, ast.JoinedStr) and _has_words(value.value):
            yield f"a value has words: {ast.unparse(value.value)}"


def _faults_of_text(text: ast.expr) -> Iterator[str]:
    if isinstance(text, ast.JoinedStr | ast.BinOp):
        yield f"a text is put together: {ast.unparse(text)}"
    if isinstance(text, ast.Constant) and isinstance(text.value, str):
        words = text.value
        if words != words.strip() or _NO_BEGINNING.match(words) or _NO_END.search(words):
            yield f"a text is a part of a sentence: {words!r}"
        if _ARTICLE.search(words):
            yield f"a placeholder after an article: {words!r}"
        if _TYPED_WORD.search(words):
            yield f"a word to type stands in a text: {words!r}"
        if re.fullmatch(r"\{\w+\}(; \{\w+\})+\.?", words):
            yield f"a text joins sentences: {words!r}"


def _is_message(node: ast.expr | ast.AST) -> bool:
    return isinstance(node, ast.Call) and _name(node.func) in LITERAL_CALLS


def _has_words(string: ast.JoinedStr) -> bool:
    """Return whether an f-string has a word and a space beside its values."""
    texts = [part.value for part in string.values if isinstance(part, ast.Constant)]
    return any(isinstance(text, str) and _WORD_AND_SPACE.search(text) for text in texts)


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


# Messages as translators see them


PLAIN = frozenset(
    "answer bonus best bottom cell cells corner count first last left loser mark move moves number "
    "other pair owner reply replies right row column second side top winner".split()
)
"""Values that a translator understands by their names: moves, cells, sides and numbers."""

_VALUE = re.compile(r"\{(\w+)\}")
_FRAGMENT = re.compile(r"[a-z]{2,}\b(?![0-9+=])")
_LIST_SIGN = re.compile(r"[,;]|[a-z]")
_CASES = {"capitalize", "casefold", "lower", "swapcase", "title", "upper"}
_ENGLISH_NUMBER = re.compile("[,_efgn%]")


def faults_for_translators(source: str) -> Iterator[str]:
    """Yield what prevents a good translation of a message of a Python file, with its line.

    A count needs a plural, a fragment a context, and a value that is none of `PLAIN` a comment for
    translators or a context. Lists, cases of letters and numbers are left to each language.
    """
    comments = _commented_lines(source)
    for node in ast.walk(ast.parse(source)):
        if not (_is_message(node) and isinstance(node, ast.Call) and node.args):
            continue
        name = _name(node.func)
        if name == "Message":  # which is not extracted
            continue
        texts = [each for each in node.args[LITERAL_CALLS[name]] if isinstance(each, ast.Constant)]
        words = " ".join(str(each.value) for each in texts)
        values = {*_VALUE.findall(words)}
        is_explained = "in_context" in name or node.lineno in comments
        if "count" in values and not name.startswith("plural"):
            yield f"line {node.lineno}: a count without a plural: {words!r}"
        if _FRAGMENT.match(words) and not is_explained:
            yield f"line {node.lineno}: a part of a sentence without a context: {words!r}"
        if values - PLAIN and not is_explained:
            yield f"line {node.lineno}: values without a comment: {words!r}"
        for keyword in node.keywords:
            yield from (f"line {node.lineno}: {fault}" for fault in _faults_of_value(keyword.value))


def _commented_lines(source: str) -> set[int]:
    """Return the lines of a Python file that follow a comment for translators."""
    found: set[int] = set()
    is_comment = False
    for number, line in enumerate(source.splitlines(), start=1):
        text = line.strip()
        is_continued = is_comment and text.startswith("#")
        if is_comment and not is_continued:
            found.add(number)
        is_comment = is_continued or text.startswith("# Translators: ")
    return found


def _faults_of_value(value: ast.expr) -> Iterator[str]:
    """Yield what is made in English of a value, which each language would do in its way."""
    for node in ast.walk(value):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(sign)), attr="join")):
                if _LIST_SIGN.search(sign):
                    yield f"a list is joined in English: {ast.unparse(node)}"
            case ast.Call(func=ast.Attribute(attr=case)) if case in _CASES:
                yield f"the case of letters is changed: {ast.unparse(node)}"
            case ast.FormattedValue(format_spec=ast.JoinedStr() as form):
                if _ENGLISH_NUMBER.search(ast.unparse(form)[2:-1]):
                    yield f"a number is written in English: {ast.unparse(value)}"
