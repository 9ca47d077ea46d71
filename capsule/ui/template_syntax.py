"""Our additions to Jinja's syntax, and the translation of templates' sentences."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from jinja2 import nodes
from jinja2.ext import Extension, InternationalizationExtension

if TYPE_CHECKING:
    from gettext import NullTranslations

    from jinja2 import Environment
    from jinja2.parser import Parser

TRANSLATIONS_NAME = "translations"
"""The global of an environment that holds its translations."""


class LineStatements(Extension):
    """Lines that begin with %% are Jinja statements and leave no line in the page.

    Jinja's own line statements would also remove the empty lines after them.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the template with each of these lines as a tag that ends where the next begins."""
        del name, filename
        return re.sub(r"^[ \t]*%%(.*)\n?", r"{%\1\n%}", source, flags=re.MULTILINE)


class Show(Extension):
    """`%% show section(…)` puts the lines of a macro into the page, and no line of its own.

    A macro in double braces stands within a line.
    """

    tags = {"show"}  # noqa: RUF012 - Jinja declares them for instances

    def parse(self, parser: Parser) -> nodes.Node:
        """Return the node of a `show` statement."""
        line = next(parser.stream).lineno
        return nodes.Output([parser.parse_expression()], lineno=line)


class CompiledTranslations(InternationalizationExtension):
    """`trans` blocks that are translated once, as a template is compiled.

    An environment is made for one language, so that a sentence need not be looked up whenever it is
    shown; only plurals are, since they depend on a number. A block may begin with a context, as in
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
        """Return the call of `gettext` as its result, which the block's values still have to fill.

        Jinja's extension doubles the sentence's own percent signs.
        """
        translations = cast("NullTranslations", self.environment.globals[TRANSLATIONS_NAME])
        match expression:
            case nodes.Call(node=nodes.Name(name="gettext"), args=[nodes.Const(value=english)]):
                sentence = translations.gettext(english)
            case nodes.Call(
                node=nodes.Name(name="pgettext"),
                args=[nodes.Const(value=context), nodes.Const(value=english)],
            ):
                sentence = translations.pgettext(context, english)
            case _:
                return expression
        pairs = [nodes.Pair(nodes.Const(each.key), each.value) for each in expression.kwargs]
        return nodes.Mod(nodes.Const(sentence), nodes.Dict(pairs), lineno=expression.lineno)


def install_translations(environment: Environment, translations: NullTranslations) -> None:
    """Translate the templates of an environment, which needs `CompiledTranslations`.

    The functions fill a sentence with values as Jinja's new style does, but do not ask for the
    context of a page.
    """

    def gettext(english: str, **values: object) -> str:
        return translations.gettext(english) % values

    def ngettext(singular: str, plural: str, num: int, **values: object) -> str:
        return translations.ngettext(singular, plural, num) % {"num": num, **values}

    def pgettext(context: str, english: str, **values: object) -> str:
        return translations.pgettext(context, english) % values

    def npgettext(context: str, singular: str, plural: str, num: int, **values: object) -> str:
        return translations.npgettext(context, singular, plural, num) % {"num": num, **values}

    environment.globals[TRANSLATIONS_NAME] = translations
    environment.install_gettext_translations(translations, newstyle=True)  # type: ignore[attr-defined]
    environment.globals |= {
        "_": gettext,
        "gettext": gettext,
        "ngettext": ngettext,
        "pgettext": pgettext,
        "npgettext": npgettext,
    }
