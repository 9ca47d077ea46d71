"""The layers between the server and a page, one a file.

A layer is a function that is given the handler inside it and a request, and does something before,
after or instead of calling the handler. `capsule.app` binds what else a layer needs, and lists the
layers in their order. They know nothing of each other: each is tested around a handler of one line.
"""

from functools import partial, reduce

from capsule.gemini.types import Handler, Layer


def stack(*layers: Layer, inside: Handler) -> Handler:
    """Return the handler whose requests pass the layers in this order, the outermost first.

    >>> stack(lambda handle, request: handle(request) + 1, inside=lambda request: request)(2)
    3
    """
    return reduce(lambda handle, layer: partial(layer, handle), reversed(layers), inside)
