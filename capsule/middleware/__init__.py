"""The layers between the server and a page, each in a file of its own.

A layer is given the handler inside it and returns one that does something before, after or instead
of calling it. What else it needs is given to it when `capsule.app` builds the stack, in which one
reads the order. Layers know nothing of each other, so each is tested around a handler of one line.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capsule.gemini.types import Handler, Layer


def stack(*layers: Layer, inside: Handler) -> Handler:
    """Return the handler whose requests pass the layers in this order, the outermost first.

    >>> stack(lambda handle: lambda request: handle(request) + 1, inside=lambda request: request)(2)
    3
    """
    return reduce(lambda handle, layer: layer(handle), reversed(layers), inside)
