"""Responses as bytes on the wire."""

from __future__ import annotations

import re
from typing import NamedTuple

from capsule.gemini.status import Status
from capsule.gemini.types import Response

MAX_META_BYTES = 1024
"""Bytes that the Gemini protocol allows a META to have."""


class EncodedResponse(NamedTuple):
    """A response as bytes on the wire."""

    status: Status
    content: bytes
    page: str = ""


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def encode(response: Response) -> EncodedResponse:
    r"""Return the bytes of a response, whose header is one line, whatever its META contains.

    Raises `ValueError` if the Gemini protocol has no such status.

    >>> encode(Response(Status.SUCCESS, "text/gemini", "# Hello")).content
    b'20 text/gemini\r\n# Hello'
    """
    status = Status(response.status)
    meta = _CONTROL.sub(" ", response.meta).encode(errors="replace")
    if len(meta) > MAX_META_BYTES:
        meta = meta[:MAX_META_BYTES].decode(errors="ignore").encode()
    body = response.body.encode(errors="replace") if status // 10 == 2 else b""
    content = b"%d %b\r\n%b" % (status, meta, body)
    return EncodedResponse(status, content, response.page)


INTERNAL_ERROR = encode(Response(Status.CGI_ERROR, "Something went wrong here. It has been noted"))
