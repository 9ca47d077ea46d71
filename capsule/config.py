"""The settings, from the command line, the environment, `oxonaut.toml` or the defaults."""

import logging
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from ipaddress import IPv6Address
from pathlib import Path
from typing import Any

import sqlalchemy as sa

DEFAULT_PORT = 1965
"""Gemini's default port, which a URL need not name."""

MAX_PORT = 65535

MAX_WORKERS = 64

LOG_FORMS = ("text", "json")

PREFIX = "OXONAUT_"
FILE = "oxonaut.toml"

NEW_NAMES = {"thinkers": "bot_processes", "newcomers": "new_players_per_hour"}
"""The names of settings by their former ones, which are still read."""


class SettingRefused(ValueError):
    """A setting that is unknown or has an unusable value; the text names it and the reason."""


@dataclass(frozen=True)
class Config:
    """The settings of the capsule.

    `home` contains the database, `certs/` and `oxonaut.toml`. `host` is the address to listen on
    ("::" means every IPv4 and IPv6 address), `port` the port, and `hostname` the name in the
    capsule's URLs. `database` is an SQLAlchemy URL; "" means `oxonaut.db` in `home`. One address
    may make `rate` requests per second in the long run, 0 for no limit, and `burst` at once.
    `workers` is the number of processes that answer requests: "auto" is one per core, and 1 that
    one process does everything, unless `mail` is set. `bot_processes` is the number of processes in
    which bots think. `new_players_per_hour` is the number of players that one address may
    create within an hour, 0 for no limit.

    `public_port` is the port in the capsule's URLs, 0 if it is `port`. `proxy_protocol` says
    whether a balancer passes on visitors' addresses by the PROXY protocol. `log` is the form of
    the log: "text" or "json". At `metrics_port` of this machine, Prometheus finds the metrics; 0
    means that there are none. `plugins` are the modules of plug-ins, which bring more variants.

    `mail` is the URL of the relay for e-mail, "" if the capsule sends none, and `mail_from` the
    sender. The relay's password is `mail_password`, or in the file `mail_password_file`, which may
    be relative to `home`. `capsule.mail.relay` checks them.

    `former_names` is not a setting: it has the former names by which settings were given.
    """

    home: Path = Path()
    host: str = "::"
    port: int = DEFAULT_PORT
    hostname: str = "localhost"
    database: str = ""
    rate: float = 30.0
    burst: int = 1000
    workers: int = 1
    bot_processes: int = os.cpu_count() or 1
    new_players_per_hour: int = 20
    public_port: int = 0
    proxy_protocol: bool = False
    log: str = "text"
    metrics_port: int = 0
    plugins: tuple[str, ...] = ()
    # It may have a password by mistake.
    mail: str = field(default="", repr=False)
    mail_from: str = ""
    mail_password_file: str = ""
    mail_password: str = field(default="", repr=False)
    former_names: tuple[str, ...] = ()

    @property
    def database_url(self) -> str:
        """The database's SQLAlchemy URL."""
        return self.database or f"sqlite:///{(self.home / 'oxonaut.db').absolute()}"

    @property
    def has_database(self) -> bool:
        """Whether the database exists; True if it is not a file. Opening would create a file."""
        path = self.database_file
        return path is None or (path.exists() and path.stat().st_size > 0)

    @property
    def has_emptied_database(self) -> bool:
        """Whether the database is an empty file, though a capsule has its certificate here."""
        path, certificates = self.database_file, self.home / "certs"
        return (
            path is not None
            and path.exists()
            and path.stat().st_size == 0
            and any(certificates.glob("*.pem"))
        )

    @property
    def database_file(self) -> Path | None:
        """The file of the database; None for PostgreSQL."""
        url = sa.make_url(self.database_url)
        return Path(url.database or "") if url.get_backend_name() == "sqlite" else None

    @property
    def origin(self) -> str:
        """The capsule's address without a path, like "gemini://example.org"."""
        host = f"[{self.hostname}]" if ":" in self.hostname else self.hostname
        port = self.public_port or self.port
        return f"gemini://{host}" + (f":{port}" if port != DEFAULT_PORT else "")


def load(given: Mapping[str, Any], environment: Mapping[str, str]) -> Config:
    """Return the settings: those `given` take precedence, then OXONAUT_*, then `oxonaut.toml`.

    `given` are the options of the command line by name, None if absent. A setting's new name takes
    precedence over its former one. Raises `SettingRefused`.
    """
    from_environment = {
        name.removeprefix(PREFIX).lower(): value
        for name, value in environment.items()
        if name.startswith(PREFIX)
    }
    from_command = {name: value for name, value in given.items() if value is not None}
    home = Path(from_command.get("home") or from_environment.get("home") or Path())
    values = {**_from_file(home / FILE), **from_environment, **from_command, "home": home}
    former_names = tuple(sorted(values.keys() & NEW_NAMES))
    for name in former_names:
        value = values.pop(name)
        values.setdefault(NEW_NAMES[name], value)
    types = {field.name: type(field.default) for field in fields(Config)}
    del types["former_names"]
    unknown = sorted(values.keys() - types.keys())
    if unknown:
        raise SettingRefused(
            f"There is no setting {unknown[0]}. The settings are {', '.join(sorted(types))}"
        )
    config = Config(**{name: _convert(types[name], name, value) for name, value in values.items()})
    for name, is_valid in _VALIDATORS.items():
        value = getattr(config, name)
        if not is_valid(value):
            reason = f": {_hostname_problem(value)}" if name == "hostname" else ""
            raise SettingRefused(f"{name} cannot be {value!r}{reason}")
    return replace(config, former_names=former_names)


def log_former_names(config: Config, log: logging.Logger) -> None:
    """Log a line for each former name by which a setting was given."""
    for name in config.former_names:
        log.warning("The setting %s is now called %s", name, NEW_NAMES[name])


_HOSTNAME = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?")


def _is_ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except ValueError:
        return False
    return True


_VALIDATORS: dict[str, Callable[[Any], object]] = {
    "port": lambda port: 0 <= port <= MAX_PORT,
    "public_port": lambda port: 0 <= port <= MAX_PORT,
    "metrics_port": lambda port: 0 <= port <= MAX_PORT,
    "log": lambda log: log in LOG_FORMS,
    "hostname": lambda name: _HOSTNAME.fullmatch(name) or _is_ipv6(name),
    "rate": lambda rate: rate >= 0,
    "burst": lambda burst: burst >= 1,
    "workers": lambda workers: 1 <= workers <= MAX_WORKERS,
    "bot_processes": lambda processes: processes >= 0,
    "new_players_per_hour": lambda players: players >= 0,
}


def _hostname_problem(hostname: str) -> str:
    """Return why a text is no host name, with the right form if there is one for it.

    >>> _hostname_problem("b\u00fccher.example")
    'a host name has no letters like “\u00fc”. Write it as xn--bcher-kva.example'
    """
    if ":" in hostname and "/" not in hostname:
        return "it is a name without a port, which is a setting of its own"
    if "/" in hostname:
        return "it is a name alone, such as example.org, without gemini:// and without a path"
    foreign = next((letter for letter in hostname if letter.isalpha() and letter > "z"), None)
    if foreign is not None:
        try:
            ascii_name = hostname.encode("idna").decode()
        except UnicodeError:
            ascii_name = ""
        if _HOSTNAME.fullmatch(ascii_name):
            return f"a host name has no letters like “{foreign}”. Write it as {ascii_name}"
    return "a host name has only letters from a to z, digits and hyphens, with dots between them"


_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
"""The spellings of true and false in the file and the environment."""


def _from_file(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingRefused(f"{path} cannot be read: {error}") from error


def _convert(kind: type[Any], name: str, value: object) -> Any:  # noqa: ANN401 - a field's own type
    if issubclass(kind, Path):
        return Path(str(value))
    if kind is bool:
        # The text "no" would be true.
        if str(value).lower() not in _TRUTHS:
            raise SettingRefused(f"{name} cannot be {value!r}: it is yes or no")
        return _TRUTHS[str(value).lower()]
    if kind is tuple:
        # TOML has lists; the environment has words.
        value = value.replace(",", " ").split() if isinstance(value, str) else value
    if name == "workers" and value == "auto":
        return min(os.cpu_count() or 1, MAX_WORKERS)
    try:
        return kind(value)
    except (TypeError, ValueError) as error:
        raise SettingRefused(f"{name} cannot be {value!r}") from error
