"""Settings: the command line before the environment before the file before the defaults."""

import logging
import sys
from pathlib import Path

import pytest

from capsule.__main__ import main
from capsule.config import Config, SettingRefused, load, log_former_names
from capsule.db.database import open_database
from capsule.db.faults import CannotOpen
from tests.support.operator import Operator
from tests.support.quick_database import started_database


def test_nothing_need_be_set() -> None:
    assert load({}, {}) == Config()
    assert Config().origin == "gemini://localhost"
    assert Config().database_url.startswith("sqlite:////")


def test_each_source_goes_before_the_next(tmp_path: Path) -> None:
    (tmp_path / "oxonaut.toml").write_text('port = 1\nhostname = "file"\nhost = "127.0.0.1"\n')
    environment = {"OXONAUT_HOME": str(tmp_path), "OXONAUT_PORT": "2", "OXONAUT_HOSTNAME": "env"}
    config = load({"port": 3, "hostname": None}, environment)
    assert (config.port, config.hostname, config.host) == (3, "env", "127.0.0.1")
    assert config.home == tmp_path


def test_the_database_lies_in_the_home_folder(tmp_path: Path) -> None:
    assert load({"home": str(tmp_path)}, {}).database_url == f"sqlite:///{tmp_path}/oxonaut.db"


def test_the_origin_names_the_port_that_visitors_use_if_it_is_unusual() -> None:
    assert Config(hostname="example.org", port=1966).origin == "gemini://example.org:1966"
    assert Config(port=19650, public_port=1965).origin == "gemini://localhost"
    assert Config(port=1965, public_port=300).origin == "gemini://localhost:300"


@pytest.mark.parametrize(("written", "meant"), [("yes", True), ("False", False), ("0", False)])
def test_what_is_true_or_false_can_be_written_in_the_environment(
    written: str, *, meant: bool
) -> None:
    assert load({}, {"OXONAUT_PROXY_PROTOCOL": written}).proxy_protocol is meant


def test_what_is_true_or_false_can_be_written_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "oxonaut.toml").write_text("proxy_protocol = true\n")
    assert load({"home": tmp_path}, {}).proxy_protocol


def test_players_from_one_address_can_be_limited_otherwise_or_not_at_all() -> None:
    assert load({}, {}).new_players_per_hour == 20
    assert load({}, {"OXONAUT_NEW_PLAYERS_PER_HOUR": "0"}).new_players_per_hour == 0
    with pytest.raises(SettingRefused, match="new_players_per_hour cannot be -1"):
        load({}, {"OXONAUT_NEW_PLAYERS_PER_HOUR": "-1"})


def test_former_names_are_read_with_a_line_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "oxonaut.toml").write_text("thinkers = 3\n")
    config = load({"home": tmp_path}, {"OXONAUT_NEWCOMERS": "7"})
    assert (config.bot_processes, config.new_players_per_hour) == (3, 7)
    log_former_names(config, logging.getLogger("oxonaut"))
    assert caplog.messages == [
        "The setting newcomers is now called new_players_per_hour",
        "The setting thinkers is now called bot_processes",
    ]
    with pytest.raises(SettingRefused, match="There is no setting former_names"):
        load({}, {"OXONAUT_FORMER_NAMES": "thinkers"})


def test_a_new_name_wins_wherever_the_former_one_is_given(tmp_path: Path) -> None:
    (tmp_path / "oxonaut.toml").write_text("bot_processes = 3\nthinkers = 2\n")
    config = load({"home": tmp_path}, {"OXONAUT_THINKERS": "1"})
    assert config.bot_processes == 3
    assert config.former_names == ("thinkers",)


def test_an_unknown_setting_is_refused_with_a_list_of_the_known_ones(tmp_path: Path) -> None:
    (tmp_path / "oxonaut.toml").write_text("prot = 1\n")
    with pytest.raises(SettingRefused, match=r"There is no setting prot. The settings are .*port"):
        load({"home": tmp_path}, {})


@pytest.mark.parametrize(
    ("environment", "why"),
    [
        ({"OXONAUT_PORT": "many"}, "port cannot be 'many'"),
        ({"OXONAUT_PORT": "70000"}, "port cannot be 70000"),
        (
            {"OXONAUT_HOSTNAME": "two words"},
            "hostname cannot be 'two words': a host name has only letters from a to z, digits",
        ),
        (
            {"OXONAUT_HOSTNAME": "g\N{LATIN SMALL LETTER E WITH ACUTE}meaux.test"},
            "no letters like “\xe9”. Write it as xn--gmeaux-bva.test",
        ),
        (
            {"OXONAUT_HOSTNAME": "\N{CJK UNIFIED IDEOGRAPH-4E95}.example"},
            "Write it as xn--elq.example",
        ),
        (
            {"OXONAUT_HOSTNAME": "gemini://example.org/"},
            "it is a name alone, such as example.org, without gemini://",
        ),
        ({"OXONAUT_HOSTNAME": "example.org:1965"}, "it is a name without a port"),
        ({"OXONAUT_HOSTNAME": "a..b"}, "letters from a to z, digits and hyphens, with dots"),
        ({"OXONAUT_RATE": "-1"}, "rate cannot be -1.0"),
        ({"OXONAUT_PUBLIC_PORT": "-1"}, "public_port cannot be -1"),
        ({"OXONAUT_PROXY_PROTOCOL": "perhaps"}, "proxy_protocol cannot be 'perhaps'"),
        ({"OXONAUT_LOG": "xml"}, "log cannot be 'xml'"),
    ],
)
def test_an_unusable_value_is_refused(environment: dict[str, str], why: str) -> None:
    with pytest.raises(SettingRefused, match=why):
        load({}, environment)


def test_a_broken_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "oxonaut.toml").write_text("port = \n")
    with pytest.raises(SettingRefused, match=r"oxonaut\.toml cannot be read"):
        load({"home": tmp_path}, {})


def test_the_command_line_reports_a_wrong_setting_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OXONAUT_PORT", "none")
    assert main(["serve", "--home", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "oxonaut: port cannot be 'none'\n"


def test_an_emptied_database_does_not_start_as_a_new_capsule(
    tmp_path: Path, operator: Operator
) -> None:
    started_database(Config(home=tmp_path).database_url).close()
    (tmp_path / "certs").mkdir()
    (tmp_path / "certs" / "cert.pem").touch()
    database = tmp_path / "oxonaut.db"
    database.write_bytes(b"")
    assert operator.refusal("serve --port 0 --host 127.0.0.1") == (
        f"{database} is empty, though a capsule has served here: restore a backup, or delete the "
        "file to begin again"
    )
    for command in ("admin log", "ratings", "check"):
        assert "here is no database" in operator.refusal(command)
    assert database.read_bytes() == b""


def test_an_empty_file_is_as_good_as_none_where_nobody_has_served(tmp_path: Path) -> None:
    (tmp_path / "certs").mkdir()
    (tmp_path / "certs" / "README.md").touch()
    (tmp_path / "oxonaut.db").touch()
    config = Config(home=tmp_path)
    assert (config.has_database, config.has_emptied_database) == (False, False)


@pytest.mark.parametrize("driver", ["postgresql", "postgresql+psycopg"])
def test_postgresql_without_its_extra_names_the_extra(
    operator: Operator, monkeypatch: pytest.MonkeyPatch, driver: str
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    where = f"--database {driver}://somebody:secret@localhost/oxonaut"
    for command in (f"serve {where} --port 0 --host 127.0.0.1", f"admin {where} log"):
        assert operator.refusal(command) == (
            "PostgreSQL needs the extra postgres. In the checkout that Oxonaut was installed from: "
            f"{sys.executable} -m pip install -c .ci/constraints.txt '.[postgres]'"
        )


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("mysql://root:secret@localhost/x", "mysql is not supported"),
        ("postgresql+psycopg2://root:secret@h/x", "postgresql\\+psycopg2 is not supported"),
        ("a secret", "not named by a URL"),
    ],
)
def test_another_database_is_refused_without_quoting_its_password(url: str, why: str) -> None:
    with pytest.raises(CannotOpen, match=why) as refusal:
        open_database(url)
    assert "secret" not in str(refusal.value)
