"""The process in which bots think: it reads tasks and writes answers, each a line of JSON.

    {"task": "move", "variant": "tinc", "moves": ["a1"], "level": "club", "seed": 7}
    {"move": "b1", "win_probability": 0.5, "is_exact": false, "simulations": 12}

A hint also has a "reason", a `Message` as `to_parts` gives it; the analysis of a game is a string.
The task "draw" asks whether a bot is content with a draw, for the "side" that it plays; in a game
that may never end, each answer to the task "move" says so too, as "is_content". To stay small, the
process imports only the engine and the plug-ins that its arguments name. It ends when its input
does, and at once when nobody reads its output.
"""

import gc
import json
import os
import sys
from collections.abc import Iterable
from random import Random
from typing import Any, TextIO

from engine import plugins
from engine.bots import hint, level
from engine.bots.analysis import analyse, to_json
from engine.bots.bot import Choice
from engine.bots.draws import is_content_with_draw
from engine.bots.hosting.host import leave_with_host, write_answer
from engine.bots.registry import warm
from engine.game import Side
from engine.messages import Message
from engine.variants import VARIANTS

NICENESS = 10
"""The niceness of the process, which yields to those that answer requests."""


def answer(task: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a task: the move of a level, its view of a draw, a hint, or an analysis.

    Raises the errors of the engine and the levels if there is no such game or level.
    """
    variant = VARIANTS[task["variant"]]
    position = variant.replay(task["moves"])
    rng = Random(task["seed"])
    if task["task"] == "analysis":
        made = analyse(variant.key, task["moves"], task["seconds"], rng, task.get("first", 0))
        return {"analysis": to_json(made)}
    if task["task"] == "hint":
        return _choice_as_json(hint(position, task["seconds"], rng))
    opponent = level(variant.key, task["level"])
    if task["task"] == "draw":
        is_content = is_content_with_draw(opponent, position, Side(task["side"]), rng)
        return {"is_content": is_content}
    choice = opponent.bot.choose(position, opponent.seconds, rng)
    reply = _choice_as_json(choice)
    if position.may_never_end:
        after = position.play(choice.move)
        reply["is_content"] = after.outcome is None and is_content_with_draw(
            opponent, after, position.turn, rng
        )
    return reply


def serve(tasks: Iterable[str], answers: TextIO) -> None:
    """Answer one task after the other; if that fails, the answer has an "error"."""
    for line in tasks:
        try:
            reply = answer(json.loads(line))
        except Exception as error:  # noqa: BLE001 - whatever it is, the next task comes
            reply = {"error": repr(error)}
        write_answer(answers, reply)


def _choice_as_json(choice: Choice) -> dict[str, Any]:
    return {
        "move": choice.move,
        "win_probability": choice.win_probability,
        "is_exact": choice.is_exact,
        "simulations": choice.simulations,
        "reason": choice.reason and to_parts(choice.reason),
    }


def to_parts(message: Message) -> list[Any]:
    """Return a message as lists and strings, which JSON can carry."""

    def part(value: object) -> object:
        if isinstance(value, Message):
            return to_parts(value)
        if isinstance(value, tuple):
            return {"listed": [part(each) for each in value]}
        # A quantity stays a number, on which the form of a plural depends.
        return value if isinstance(value, int | float) else str(value)

    values = {name: part(value) for name, value in message.values.items()}
    return [message.text, values, message.several, message.context]


def from_parts(parts: list[Any]) -> Message:
    """Return the message that `to_parts` took apart."""

    def value(part: Any) -> object:  # noqa: ANN401 - what JSON gives
        if isinstance(part, list):
            return from_parts(part)
        if isinstance(part, dict):
            return tuple(value(each) for each in part["listed"])
        return part

    text, values, several, context = parts
    return Message(text, {name: value(part) for name, part in values.items()}, several, context)


if __name__ == "__main__":
    os.nice(NICENESS)
    leave_with_host(sys.stdout)
    for plugin in sys.argv[1:]:
        plugins.load(plugin)
    warm()
    # What the warming searches leave behind would else stay until some bot makes garbage enough.
    gc.collect()
    serve(sys.stdin, sys.stdout)
