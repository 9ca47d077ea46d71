"""`oxonaut admin news`: publish, edit and withdraw news."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capsule.moderation.operator_steps import OperatorRefused
from capsule.news import publishing

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from capsule.context import AppContext


def add_news_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    parser.add_argument("text", nargs="*", metavar="TEXT", help="the news, one line")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--edit", type=int, metavar="N", help="give news number N this text")
    which.add_argument("--withdraw", type=int, metavar="N", help="withdraw news number N")


def news(context: AppContext, arguments: argparse.Namespace) -> Iterator[str]:
    """Do what the arguments say, and yield the lines that report it."""
    text = " ".join(arguments.text)
    if arguments.withdraw is not None:
        if text:
            raise OperatorRefused("To withdraw news, give their number alone.")
        publishing.withdraw(context, arguments.withdraw)
        yield f"News number {arguments.withdraw} is withdrawn."
    elif arguments.edit is not None:
        publishing.edit(context, arguments.edit, text)
        yield f"News number {arguments.edit} is edited."
    else:
        number = publishing.publish(context, text)
        yield f"News number {number} is published: {context.origin}/news"
