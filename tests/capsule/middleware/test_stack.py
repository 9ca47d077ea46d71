"""A stack of layers: requests pass them in order, and faults name those that they pass."""

import pytest

from capsule.gemini.log_texts import describe_fault
from capsule.gemini.types import Answer, Handler, Layer, Request, Response
from capsule.middleware import stack
from capsule.middleware.from_address import from_address
from capsule.middleware.waiting import waiting


def named(name: str, passed: list[str]) -> Layer:
    def layer(handle: Handler, request: Request) -> Answer:
        passed.append(name)
        return handle(request)

    return layer


def test_the_first_layer_is_the_outermost() -> None:
    passed: list[str] = []
    handle = stack(
        named("outer", passed), named("inner", passed), inside=lambda _: Response(20, "", "page")
    )
    assert handle(Request("/")) == Response(20, "", "page")
    assert passed == ["outer", "inner"]


def test_the_trace_of_a_fault_names_the_layers() -> None:
    def fail(_request: Request) -> Answer:
        raise RuntimeError

    with pytest.raises(RuntimeError) as fault:
        stack(from_address, waiting, inside=fail)(Request("/"))
    trace = describe_fault(fault.value, quotable=False)
    places = [trace.index(name) for name in ("from_address.py", "waiting.py", "in fail")]
    assert places == sorted(places)
