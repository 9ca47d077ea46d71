"""The settings of a capsule that serves, and renewing them while it does."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from capsule.config import Config, SettingRefused, log_former_names
from capsule.gemini import certificates
from capsule.gemini.listening import CannotListen, CannotRenew, ServerSettings
from capsule.mail.relay import relay_settings

ACCEPTS_PER_TURN = 50
SHARED_ACCEPTS_PER_TURN = 4
"""Connections that a worker accepts at a time; of several workers, an idle one accepts the rest."""

THREADS = 1
THREADS_ON_POSTGRESQL = 4
"""Threads on which pages are made: those that wait for a PostgreSQL need not wait for one another.

On SQLite, they would only compete with the reactor's thread for the interpreter: under closed loops
for pages that take long, the front page took 7 ms with one thread, and 87 with two. What takes
longer than a page is a `Wait`, which has threads of its own.
"""

FIXED = (
    "home",
    "host",
    "port",
    "database",
    "workers",
    "proxy_protocol",
    "metrics_port",
    "plugins",
    "mail",
    "mail_from",
)
"""The settings that apply from one start to the next."""


def server_settings(config: Config) -> ServerSettings:
    """Return the settings of the server; its certificate is in `certs/` in the home folder."""
    folder = config.home / "certs"
    return ServerSettings(
        certificate=folder / certificates.CERTIFICATE_FILE,
        key=folder / certificates.KEY_FILE,
        hostname=config.hostname,
        host=config.host,
        port=config.port,
        public_port=config.public_port or None,
        proxy_protocol=config.proxy_protocol,
        rate=config.rate,
        burst=config.burst,
        threads=THREADS if config.database_file else THREADS_ON_POSTGRESQL,
        accepts_per_turn=ACCEPTS_PER_TURN if config.workers == 1 else SHARED_ACCEPTS_PER_TURN,
    )


@dataclass(frozen=True)
class RenewableSettings:
    """The settings at the start, the `current` ones, and a function that reads them again.

    The port of the `current` ones is the one listened on, even if the settings allow any.
    `read` reads the command line, the environment and the file.
    """

    started: Config
    current: Config
    read: Callable[[], Config]

    def renewed(self, log: logging.Logger) -> Config:
        """Return the settings as they are now, except for those that apply from the next start.

        The log says which of these differ, and what surprises visitors about the certificate.
        Raises `CannotRenew` if a setting is refused, or the certificate cannot be used.
        """
        try:
            config = self.read()
        except (SettingRefused, OSError) as error:
            raise CannotRenew(str(error)) from error
        log_former_names(config, log)
        for name in FIXED:
            if getattr(config, name) != getattr(self.started, name):
                log.warning("The setting %s changes at the next start", name)
        kept = {field: getattr(self.current, field) for field in FIXED}
        config = replace(config, **kept)
        check(config)
        certificates.warn_of_surprises(
            server_settings(config).certificate, config.hostname, datetime.now(UTC)
        )
        return config


def check(config: Config) -> None:
    """Check that the capsule can serve under its name and with its certificate, and send mail.

    No relay is asked. Raises `CannotRenew`.
    """
    settings = server_settings(config)
    try:
        certificates.check_pair(settings.certificate, settings.key)
        settings.authority(config.port)
        if config.mail:
            relay_settings(config)
    except (certificates.CertificateError, CannotListen, SettingRefused, OSError) as error:
        raise CannotRenew(str(error)) from error
