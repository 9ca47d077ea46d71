"""Our additions to Jinja's syntax, and the translation of templates' sentences."""

import re
from collections.abc import Mapping
from gettext import NullTranslations
from types import CodeType

from jinja2 import BytecodeCache, Environment, nodes
from jinja2.bccache import Bucket
from jinja2.ext import Extension, InternationalizationExtension
from jinja2.parser import Parser


class LineStatements(Extension):
    """Lines that begin with %% are Jinja statements and leave no line in the page.

    Jinja's own line statements would also remove the empty lines after them.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the template with each of these lines as a tag that ends where the next begins."""
        del name, filename
        return re.sub(r"^[ \t]*%%(.*)\n?", r"{%\1\n%}", source, flags=re.MULTILINE)


class LinkLines(Extension):
    """Lines such as `=> /games/ Public games`, which stand on one line of a template, are links.

    The filter `link` makes what follows the arrow.
    """

    # Line statements begin and end on the lines beside them.
    priority = 90

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the template with the filter around the address and the label of each link."""
        del name, filename
        return _LINK_LINE.sub(r"=> {% filter link %}\1{% endfilter \2%}", source)


_LINK_LINE = re.compile(r"^=> (.+?(?:(-)[}%#]\})?)$", re.MULTILINE)
"""A link of a template; a last tag may strip the line break behind it."""


class Show(Extension):
    """`%% show section(…)` puts the lines of a macro into the page, and no other line.

    A macro in double braces stands within a line.
    """

    tags = {"show"}  # noqa: RUF012 - Jinja declares them for instances

    def parse(self, parser: Parser) -> nodes.Node:
        """Return the node of a `show` statement."""
        line = next(parser.stream).lineno
        return nodes.Output([parser.parse_expression()], lineno=line)


class CompiledTranslations(InternationalizationExtension):
    """`trans` blocks that find their sentence in a table of their environment.

    An environment is made for one language, and all share the compiled templates. Only plurals are
    translated by a function, since they depend on a number. A block may begin with a context, as in
    `{% trans "of a list" count=all|length %}`. Babel extracts sentences with their contexts, and
    the comments before them, with Jinja's own extension.
    """

    def parse(self, parser: Parser) -> nodes.Node | list[nodes.Node]:
        """Return the nodes of a `trans` block."""
        parsed = super().parse(parser)
        for node in parsed if isinstance(parsed, list) else [parsed]:
            if isinstance(node, nodes.Output):
                node.nodes = [self._translated(expression) for expression in node.nodes]
        return parsed

    def _translated(self, expression: nodes.Expr) -> nodes.Expr:
        """Return the call of `gettext` as a sentence that the block's values still have to fill.

        Jinja's extension doubles the sentence's own percent signs.
        """
        match expression:
            case nodes.Call(node=nodes.Name(name="gettext"), args=[nodes.Const(value=english)]):
                key = english
            case nodes.Call(
                node=nodes.Name(name="pgettext"),
                args=[nodes.Const(value=context), nodes.Const(value=english)],
            ):
                key = context, english
            case _:
                return expression
        sentence = nodes.EnvironmentAttribute(f"{_Sentences.NAME}[{key!r}]")
        pairs = [
            nodes.Pair(nodes.Const(each.key), _shown(each.value)) for each in expression.kwargs
        ]
        return nodes.Mod(sentence, nodes.Dict(pairs), lineno=expression.lineno)


class _Sentences(dict[str | tuple[str, str], str]):
    """The sentences that templates have shown in one language, each looked up once.

    A tuple is a context and a sentence.
    """

    NAME = "sentences"
    """The attribute of an environment that holds them."""

    def __init__(self, translations: NullTranslations) -> None:
        super().__init__()
        self._translations = translations

    def __missing__(self, english: str | tuple[str, str]) -> str:
        # Jinja doubles percent signs, but extracts those of a sentence without values as they are.
        text = english if isinstance(english, str) else english[1]
        has_values = "%(" in text
        key = text if has_values else text.replace("%%", "%")
        if isinstance(english, str):
            found = self._translations.gettext(key)
        else:
            found = self._translations.pgettext(english[0], key)
        return self.setdefault(english, found if has_values else found.replace("%", "%%"))


class SharedCode(BytecodeCache):
    """The compiled templates of all languages, which differ in their sentences alone."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give a template its code, if another language has had it compiled."""
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template that has just been compiled."""
        if bucket.code is not None:
            self._codes[bucket.key, bucket.checksum] = bucket.code


def _shown(value: nodes.Expr) -> nodes.Expr:
    """Return the value of a sentence as it is shown: a name may have its own words."""
    if isinstance(value, nodes.Filter | nodes.Const | nodes.Add | nodes.Sub):
        return value
    return nodes.Filter(value, "shown", [], [], None, None)


def install_translations(environment: Environment, translations: NullTranslations) -> None:
    """Translate the templates of an environment, which needs `CompiledTranslations`.

    The functions fill a sentence with values as Jinja's new style does, but do not ask for the
    context of a page.
    """

    def gettext(english: str, **values: object) -> str:
        return translations.gettext(english) % shown(values)

    def ngettext(singular: str, plural: str, num: int, **values: object) -> str:
        return translations.ngettext(singular, plural, num) % shown({"num": num, **values})

    def pgettext(context: str, english: str, **values: object) -> str:
        return translations.pgettext(context, english) % shown(values)

    def npgettext(context: str, singular: str, plural: str, num: int, **values: object) -> str:
        chosen = translations.npgettext(context, singular, plural, num)
        return chosen % shown({"num": num, **values})

    def shown(values: Mapping[str, object]) -> Mapping[str, object]:
        show = environment.filters["shown"]
        return {name: show(value) for name, value in values.items()}

    environment.extend(**{_Sentences.NAME: _Sentences(translations)})
    environment.install_gettext_translations(translations, newstyle=True)  # type: ignore[attr-defined]
    environment.globals |= {
        "_": gettext,
        "gettext": gettext,
        "ngettext": ngettext,
        "pgettext": pgettext,
        "npgettext": npgettext,
    }
