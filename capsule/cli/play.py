"""`oxonaut play`: a bot plays at a capsule, here or anywhere, as one of its players."""

import argparse
import logging
import signal
import sys
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

from capsule.cli.command import MISUSED, at_least_one, refused, seconds
from capsule.client import connection
from capsule.client.connection import GeminiClient, printable
from capsule.client.playing import BotMoveChooser, MatchmakingOptions, Program
from capsule.client.program_api import CapsuleRefused, NotAdmitted, ProgramApi
from capsule.config import Config
from capsule.gemini.certificates import MAX_COMMON_NAME_LENGTH
from engine import VARIANTS
from engine.bots.hosting.outside import NoSuchBot
from engine.bots.levels import LEVELS
from engine.bots.registry import levels_of

DESCRIPTION = """\
Play at a capsule with a bot, as a player of its own. The bot is a level of ours, or anybody's bot
named as module:Class. Such a bot has choose(position, seconds, rng) or, for extreme, the course's
move(board, old_move, flag). The program answers every game and challenge that waits for it. It is
patient, goes on after a restart of either side, and runs until it is stopped.
"""

LOG_FILE = "log.txt"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "address",
        metavar="ADDRESS",
        help="the address of the capsule, such as gemini://example.org/",
    )
    bots = parser.add_mutually_exclusive_group()
    bots.add_argument("--as", dest="bot", metavar="MODULE:CLASS", help="a bot of your own")
    bots.add_argument(
        "--level", choices=LEVELS, default="master", help="a level of ours (default: master)"
    )
    parser.add_argument(
        "--variant",
        dest="variants",
        metavar="VARIANT",
        action="append",
        help="what it plays; repeat for several (default: all that the bot can). It leaves "
        "games of other variants alone",
    )
    parser.add_argument(
        "--seconds", type=seconds, metavar="S", help="seconds that it may think about a move"
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path("oxonaut-player"),
        metavar="DIR",
        help="folder of its certificate, the servers' and its log (default: oxonaut-player)",
    )
    parser.add_argument(
        "--name",
        type=_name,
        default="",
        help="name in the certificate that it makes (default: the capsule names it)",
    )
    parser.add_argument("--certificate", type=Path, metavar="FILE", help="use this certificate")
    parser.add_argument(
        "--key", type=Path, metavar="FILE", help="its key, if it is in another file"
    )
    parser.add_argument(
        "--offer", action="store_true", help="keep a seat open to anyone in each of its variants"
    )
    parser.add_argument("--join", action="store_true", help="take seats that others offer")
    parser.add_argument("--tournaments", action="store_true", help="take part in tournaments")
    parser.add_argument(
        "--at-once",
        type=at_least_one,
        default=10,
        metavar="N",
        help="games that it seeks at once, at most (default: 10)",
    )
    parser.add_argument(
        "--games", type=at_least_one, metavar="N", help="stop after this number of games"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="seed of its luck (default: 1)"
    )


def _name(text: str) -> str:
    if len(text) > MAX_COMMON_NAME_LENGTH:
        raise argparse.ArgumentTypeError(f"it may have {MAX_COMMON_NAME_LENGTH} characters at most")
    return text


def run(_config: Config, arguments: argparse.Namespace) -> int:
    """Play until it is stopped or done, and return the exit status."""
    for variant in arguments.variants or ():
        if variant not in VARIANTS:
            variants = ", ".join(VARIANTS)
            return refused(f"There is no variant {variant}: it is one of {variants}", MISUSED)
    signal.signal(signal.SIGTERM, _stop)
    with ExitStack() as open_bots:
        try:
            _program(vars(arguments), open_bots).play()
        except KeyboardInterrupt:
            return 0
        except (connection.CapsuleAddressRefused, NoSuchBot) as error:
            return refused(error, MISUSED)
        except NotAdmitted as error:
            return refused(f"The capsule does not admit this certificate: {printable(str(error))}")
        except (CapsuleRefused, connection.ServerNotTrusted, OSError) as error:
            return refused(printable(str(error)))
    return 0


def _program(given: dict[str, Any], open_bots: ExitStack) -> Program:
    """Return the program that the arguments describe; `open_bots` ends its bots' processes."""
    folder: Path = given["folder"]
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC).replace(microsecond=0)
    identity = given["certificate"] or connection.ensure_identity(folder, given["name"], now)
    client = GeminiClient(given["address"], identity, given["key"], folder / connection.PINS_FILE)
    choosers = _choosers(given, open_bots)
    _begin_log(folder / LOG_FILE)
    options = MatchmakingOptions(
        offers=tuple(choosers) if given["offer"] else (),
        joins=tuple(choosers) if given["join"] else (),
        tournaments=given["tournaments"],
        at_once=given["at_once"],
        games=given["games"],
    )
    return Program(ProgramApi(client, time.sleep, time.monotonic), choosers, options, time.sleep)


def _choosers(given: dict[str, Any], open_bots: ExitStack) -> dict[str, BotMoveChooser]:
    """Return the bots by variant; raises `NoSuchBot` if there is none for any."""
    from_outside: str | None = given["bot"]
    choosers: dict[str, BotMoveChooser] = {}
    problem = NoSuchBot("There is nothing to play")
    for variant in given["variants"] or VARIANTS:
        chooser = BotMoveChooser(
            variant, from_outside or given["level"], given["seconds"], given["seed"]
        )
        open_bots.callback(chooser.close)
        try:
            # Not every bot plays every game: of one from outside only itself knows.
            if from_outside is not None or given["level"] not in levels_of(variant):
                chooser.start()
        except NoSuchBot as error:
            problem = error
        else:
            choosers[variant] = chooser
    if not choosers:
        raise problem
    return choosers


def _begin_log(path: Path) -> None:
    form = connection.PrintableFormatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S")
    log = logging.getLogger("capsule.client")
    log.setLevel(logging.INFO)
    for handler in (logging.StreamHandler(sys.stderr), logging.FileHandler(path, encoding="utf-8")):
        handler.setFormatter(form)
        log.addHandler(handler)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    # Once is enough: bots are being stopped.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt
