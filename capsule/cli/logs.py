"""The log of the capsule: lines for people, or JSON for programs.

Neither form holds visitors' addresses, queries or keys, since nobody passes them to the log.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

from capsule.measurements import Answered


def configure(form: str) -> None:
    """Send the log to standard output in a form, "text" or "json", from now on."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        JsonFormatter() if form == "json" else logging.Formatter("%(asctime)s %(message)s")
    )
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    # Only authors of migrations want a line for each.
    logging.getLogger("alembic").setLevel(logging.WARNING)


class JsonFormatter(logging.Formatter):
    """Formats each record as one line of JSON; an answered request has a member for each figure."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        line: dict[str, str | int | float] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
        }
        if isinstance(record.msg, Answered):
            line |= {
                "event": "request",
                "status": record.msg.status,
                "page": record.msg.page,
                "path": record.msg.path,
                "bytes": record.msg.size,
                "milliseconds": round(record.msg.seconds * 1000, 3),
            }
        else:
            line |= {"event": "message", "message": record.getMessage()}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
