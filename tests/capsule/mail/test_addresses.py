"""Addresses as people type them: one that mail can go to, or a sentence that says why not."""

from email import message_from_string
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8, default

import pytest
from hypothesis import example, given, strategies as st

from capsule.mail.subscribing import MAX_BYTES, AddressRefused, address_key, clean_address
from capsule.ui.render import meta, translate

NO_SPACES = "An e-mail address has no spaces or line breaks"
NO_QUOTES = "An address in quotation marks cannot be used here"
USELESS = "That is not an e-mail address that can be used. One looks like alice@example.org"

TOO_LONG = "That address is too long: at most 254 bytes fit, and 64 before the @"


def domain(length: int) -> str:
    """Return a domain of that many bytes."""
    labels = []
    while length > 63:
        labels.append("d" * min(63, length - 5))
        length -= len(labels[-1]) + 1
    return ".".join([*labels, "d" * (length - 4) + ".org"])


def refusal(typed: str) -> str:
    with pytest.raises(AddressRefused) as refused:
        clean_address(typed)
    said = translate(refused.value.message)
    assert meta(said) == said, "it can be a prompt"
    return said


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("a@example.org", "a@example.org"),
        (" a@example.org\n", "a@example.org"),
        ("Alice.B+games@Example.ORG", "Alice.B+games@example.org"),
        ("o'hara@example.org", "o'hara@example.org"),
        ("zoe@b\u00fccher.example", "zoe@xn--bcher-kva.example"),
        ("zoe@xn--bcher-kva.example", "zoe@xn--bcher-kva.example"),
        ("zo\u00eb@example.org", "zo\u00eb@example.org"),
        ("zoe\u0308@example.org", "zo\u00eb@example.org"),
        ("\u56f2\u7881@example.org", "\u56f2\u7881@example.org"),
        ("\U0001f3b2@example.org", "\U0001f3b2@example.org"),
        (f"{'l' * 64}@example.org", f"{'l' * 64}@example.org"),
        (f"{'l' * 64}@{domain(254 - 65)}", f"{'l' * 64}@{domain(254 - 65)}"),
    ],
)
def test_what_mail_can_go_to_is_stored_in_one_form(typed: str, stored: str) -> None:
    assert clean_address(typed) == stored


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", USELESS),
        ("alice", USELESS),
        ("@example.org", USELESS),
        ("alice@", USELESS),
        ("alice@localhost", USELESS),
        ("alice@192.0.2.1", USELESS),
        ("alice@[192.0.2.1]", USELESS),
        ("alice@example..org", USELESS),
        (".alice@example.org", USELESS),
        ("a@b@example.org", USELESS),
        ("alice@example.org,bob@example.org", USELESS),
        ("Alice<alice@example.org>", USELESS),
        ("<alice@example.org>", USELESS),
        ("alice@example.test", USELESS),
        ("a@b\r\nBcc: c@d", NO_SPACES),
        ("a@example.org\r\nBcc:c@example.org", NO_SPACES),
        ("a@example.org\nDATA", NO_SPACES),
        ("a b@example.org", NO_SPACES),
        ("a\u00a0b@example.org", NO_SPACES),
        ("a\u2028b@example.org", NO_SPACES),
        ("a\x00b@example.org", NO_SPACES),
        ("a\u202eb@example.org", NO_SPACES),
        ("a\u200bb@example.org", NO_SPACES),
        ('"alice"@example.org', NO_QUOTES),
        ('"al ice"@example.org', NO_SPACES),
        ('"a\\"b"@example.org', NO_QUOTES),
        ("alice@\U0001f3b2.org", USELESS),
        ("=?utf-8?q?a=0D=0ABcc=3Aeve?=@example.org", USELESS),
        ("a=?utf-8?q?a=0D=0ABcc=3Aeve?=@example.org", USELESS),
        (f"{'l' * 65}@example.org", TOO_LONG),
        (f"{'l' * 64}@{domain(255 - 65)}", TOO_LONG),
        ("\u00eb" * 33 + "@example.org", TOO_LONG),
    ],
)
def test_what_mail_cannot_go_to_is_refused_with_a_sentence(typed: str, why: str) -> None:
    assert refusal(typed) == why


typed_addresses = st.one_of(
    st.text(max_size=300),
    st.emails(),
    st.builds("{}@{}".format, st.text(max_size=70), st.sampled_from(["example.org", "b"])),
    st.builds(
        "{}@{}.org".format,
        st.text(st.sampled_from("ab.=?-_'\"\\ \r\n<>,;:()[]\u00eb\u56f2"), max_size=70),
        st.text(st.sampled_from("ab-.\u00fc\u56f2"), max_size=200),
    ),
)


@given(typed_addresses)
@example("a@b\r\nBcc: c@d")
def test_each_text_is_an_address_of_one_header_or_refused(typed: str) -> None:
    try:
        address = clean_address(typed)
    except AddressRefused as refused:
        said = translate(refused.message)
        assert said
        assert said.isprintable()
        return
    assert clean_address(address) == address
    assert address.isprintable()
    assert len(address.encode()) <= MAX_BYTES
    assert not set(address) & set(' <>,;:()[]"\\')
    message = EmailMessage(SMTP)
    local, _, host = address.rpartition("@")
    message["To"] = Address(username=local, domain=host)
    message["Subject"] = "x"
    message.set_content("x\n")
    wire = message.as_bytes(policy=SMTP if address.isascii() else SMTPUTF8)
    read = message_from_string(wire.decode(), policy=default)
    assert list(read.keys())[:2] == ["To", "Subject"]
    assert [each.addr_spec for each in read["To"].addresses] == [address]


def test_the_hash_of_an_address_is_one_in_both_cases_and_needs_the_secret() -> None:
    key = address_key(b"secret", "Alice@example.org")
    assert key == address_key(b"secret", "alice@example.org")
    assert key != address_key(b"secret", "alicia@example.org")
    assert key != address_key(b"another", "alice@example.org")
    assert "alice" not in key
