"""Run a command under a service unit's restrictions, as far as they can be had without systemd.

`python -m tests.support.wire.confined UNIT COMMAND...` drops all capabilities, and installs the
unit's filters of system calls and address families with libseccomp. A call that they forbid fails
with EPERM.
"""

import ctypes
import errno
import os
import socket
import subprocess
import sys
from collections import defaultdict
from ctypes.util import find_library
from pathlib import Path

_NO_NEW_PRIVILEGES, _DROP_CAPABILITY = 38, 24
_CAPABILITIES = 64
_ALLOW, _FAIL_WITH_EPERM = 0x7FFF0000, 0x00050000 | errno.EPERM
_EQUAL = 4


class _Comparison(ctypes.Structure):
    """The structure `scmp_arg_cmp` of libseccomp."""

    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("value", ctypes.c_uint64),
        ("mask", ctypes.c_uint64),
    )


def directives(unit: str) -> dict[str, list[str]]:
    """Return the values of a unit's directives, by name, in their order."""
    found = defaultdict(list)
    for line in unit.splitlines():
        name, mark, value = line.partition("=")
        if mark:
            found[name].append(value)
    return found


def system_calls(group: str) -> set[str]:
    """Return the names of the system calls of a group of systemd's."""
    printed = subprocess.run(
        ["systemd-analyze", "syscall-filter", group], capture_output=True, text=True, check=True
    ).stdout
    names = {line.strip() for line in printed.splitlines()[1:] if "#" not in line} - {""}
    groups = {name for name in names if name.startswith("@")}
    return (names - groups).union(*map(system_calls, groups))


def allowed_calls(filters: list[str]) -> set[str]:
    """Return the system calls that a unit's values of `SystemCallFilter` let through."""
    allowed = system_calls("@default")
    for each in filters:
        if each.startswith("~"):
            allowed -= system_calls(each[1:])
        else:
            allowed |= system_calls(each)
    return allowed


def install(allowed: set[str], families: list[str]) -> None:
    """Let this process and its children make these system calls, and sockets of these families."""
    library = ctypes.CDLL(find_library("seccomp"), use_errno=True)
    library.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(library.seccomp_init(_FAIL_WITH_EPERM))
    for name in allowed - {"socket"}:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:
            library.seccomp_rule_add_array(rules, _ALLOW, number, 0, None)
    number = library.seccomp_syscall_resolve_name(b"socket")
    for family in families:
        comparison = _Comparison(0, _EQUAL, getattr(socket, family), 0)
        library.seccomp_rule_add_array(rules, _ALLOW, number, 1, ctypes.byref(comparison))
    if library.seccomp_load(rules) != 0:
        raise OSError("the filter of system calls cannot be installed")


def main() -> None:
    """Run the command that the arguments name."""
    unit = directives(Path(sys.argv[1]).read_text(encoding="utf-8"))
    os.umask(int(unit["UMask"][-1], 8))
    # Read before, since the filter may forbid it.
    allowed = allowed_calls(unit["SystemCallFilter"])
    c = ctypes.CDLL(None)
    for capability in range(_CAPABILITIES):
        c.prctl(_DROP_CAPABILITY, capability, 0, 0, 0)
    c.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    install(allowed, unit["RestrictAddressFamilies"][-1].split())
    os.execvp(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
