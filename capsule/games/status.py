"""A game as the capsule knows it: how it stands, who may do what, and how it goes on or ends.

What happens in a transaction is given its connection; each use case opens its own.
"""

from __future__ import annotations

WAITING, CHALLENGED, PLAYING = "waiting", "challenged", "playing"
FINISHED, RESIGNED, AGREED, TIMED_OUT = "finished", "resigned", "agreed", "timed out"
ABORTED = "aborted"
RUNNING = (WAITING, CHALLENGED, PLAYING)
ENDED = (FINISHED, RESIGNED, AGREED, TIMED_OUT)
