"""The settings: from the command line, the environment, `oxonaut.toml`, or the defaults."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import make_url

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


DEFAULT_PORT = 1965
"""Gemini's own port, which a URL need not name."""

LARGEST_PORT = 65535

PREFIX = "OXONAUT_"
FILE = "oxonaut.toml"


class SettingRefused(ValueError):
    """A setting that is not known, or whose value cannot be used; the text says which and why."""


@dataclass(frozen=True)
class Config:
    """How the capsule runs.

    `home` holds the database, `certs/` and `oxonaut.toml`. `host` is the address to listen on ("::"
    serves IPv4 and IPv6), `port` its port, `hostname` the name in the capsule's URLs. `database` is
    an SQLAlchemy URL; "" means `oxonaut.db` in `home`. `rate` is how many requests a second one
    address may make in the long run, 0 for no limit; `burst` how many at once. `thinkers` is the
    number of processes in which bots think.
    """

    home: Path = Path()
    host: str = "::"
    port: int = DEFAULT_PORT
    hostname: str = "localhost"
    database: str = ""
    rate: float = 30.0
    burst: int = 1000
    thinkers: int = os.cpu_count() or 1

    @property
    def database_url(self) -> str:
        """The database's SQLAlchemy URL."""
        return self.database or f"sqlite:///{(self.home / 'oxonaut.db').absolute()}"

    @property
    def has_database(self) -> bool:
        """Whether the database is there, where it is a file: opening it would make it."""
        url = make_url(self.database_url)
        return url.get_backend_name() != "sqlite" or Path(url.database or "").exists()

    @property
    def origin(self) -> str:
        """The capsule's address without a path, as in "gemini://example.org"."""
        host = f"[{self.hostname}]" if ":" in self.hostname else self.hostname
        return f"gemini://{host}" + (f":{self.port}" if self.port != DEFAULT_PORT else "")


def load(given: Mapping[str, Any], environment: Mapping[str, str]) -> Config:
    """Return the settings: `given` ones first, then OXONAUT_* ones, then those of `oxonaut.toml`.

    `given` are from the command line by name, None where it says nothing. Raises `SettingRefused`.
    """
    named = {
        name.removeprefix(PREFIX).lower(): value
        for name, value in environment.items()
        if name.startswith(PREFIX)
    }
    spoken = {name: value for name, value in given.items() if value is not None}
    home = Path(spoken.get("home") or named.get("home") or Path())
    values = {**_from_file(home / FILE), **named, **spoken, "home": home}
    types = {field.name: type(field.default) for field in fields(Config)}
    unknown = sorted(values.keys() - types.keys())
    if unknown:
        raise SettingRefused(
            f"There is no setting {unknown[0]}; there are {', '.join(sorted(types))}"
        )
    config = Config(**{name: _as(types[name], name, value) for name, value in values.items()})
    for name, is_fit in _FIT.items():
        if not is_fit(getattr(config, name)):
            raise SettingRefused(f"{name} cannot be {getattr(config, name)!r}")
    return config


_FIT: dict[str, Callable[[Any], object]] = {
    "port": lambda port: 0 <= port <= LARGEST_PORT,
    "hostname": re.compile(r"[A-Za-z0-9._:-]+").fullmatch,
    "rate": lambda rate: rate >= 0,
    "burst": lambda burst: burst >= 1,
    "thinkers": lambda thinkers: thinkers >= 0,
}


def _from_file(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingRefused(f"{path} cannot be read: {error}") from error


def _as(kind: type[Any], name: str, value: object) -> Any:  # noqa: ANN401 - a field's own type
    if issubclass(kind, Path):
        return Path(str(value))
    try:
        return kind(value)
    except (TypeError, ValueError) as error:
        raise SettingRefused(f"{name} cannot be {value!r}") from error
