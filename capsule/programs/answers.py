"""Answers in JSON: fields, or an error with a sentence."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from capsule.gemini.status import Status
from capsule.gemini.types import Response, Wait
from capsule.ui import responses

if TYPE_CHECKING:
    from collections.abc import Callable

    from capsule.gemini.types import Answer
    from capsule.programs.states import Json

KIND = "application/json; charset=utf-8"
"""The META of every answer."""

VERSION = 1
"""The version in each answer: programs for this one do not understand another."""


def answer(**fields: Json) -> Response:
    """Return an answer with these fields, after its version."""
    return responses.text(json.dumps({"version": VERSION, **fields}, ensure_ascii=False), KIND)


def refusal(sentence: str) -> Response:
    """Return the answer that says why not."""
    return answer(error=sentence)


def in_json(browser_answer: Answer, at_address: Callable[[str], Response]) -> Response | Wait:
    """Return the JSON for a program in place of the answer that a browser would get.

    If the browser is redirected, `at_address` returns the program's answer; if it is asked again or
    refused, the program receives the same sentence. Errors of the protocol, such as 44, are the
    same for both.
    """
    match browser_answer:
        case Wait():
            return replace(
                browser_answer,
                finish=lambda: _response_in_json(browser_answer.finish(), at_address),
                fallback=_response_in_json(browser_answer.fallback, at_address),
            )
        case Response():
            return _response_in_json(browser_answer, at_address)
    raise TypeError("An action does not answer with a page that grows")


def _response_in_json(response: Response, at_address: Callable[[str], Response]) -> Response:
    if response.status == Status.REDIRECT and not response.reason:
        return at_address(response.meta)
    if response.status in (Status.INPUT, Status.SENSITIVE_INPUT):
        return refusal(response.reason or response.meta)
    if response.status in (Status.SUCCESS, Status.REDIRECT):
        return refusal(response.reason)
    return response
