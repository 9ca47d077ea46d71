"""What a catalogue of translations lacks, and what is wrong in it."""

import re
from collections.abc import Iterator, Sequence

from babel.messages.catalog import Catalog, Message

_PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w*\}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_COUNTS = {"{count}", "%(count)s", "%(num)s"}


def missing(catalogue: Catalog) -> Iterator[str]:
    """Yield the sentences that are not translated, or whose translation is in doubt."""
    for message in catalogue:
        if message.id and (message.fuzzy or not all(forms_of(message.string))):
            yield forms_of(message.id)[0]


def faults(catalogue: Catalog) -> Iterator[str]:
    """Yield what is wrong with the translations that there are, each with its sentence."""
    for message in catalogue:
        translated = forms_of(message.string)
        if not message.id or not any(translated):
            continue
        english = forms_of(message.id)[0]
        if message.pluralizable and len(translated) != catalogue.num_plurals:
            yield f"not all plurals: {english}"
        for form in translated:
            yield from (f"{fault}: {english} -> {form}" for fault in _faults_of(message, form))


def _faults_of(message: Message, form: str) -> Iterator[str]:
    of_forms = [set(_PLACEHOLDER.findall(each)) for each in forms_of(message.id)]
    known = set.union(*of_forms)
    # The last form is that of most numbers. Any other may leave out what English does.
    is_last = form == forms_of(message.string)[-1]
    wanted = known if is_last else set.intersection(*of_forms)
    found = set(_PLACEHOLDER.findall(form))
    if found - known:
        yield f"unknown values {found - known}"
    # A form for one, or for two, may say its number in words.
    if wanted - found - (_COUNTS if message.pluralizable else set()):
        yield f"missing values {wanted - found}"
    if _CONTROL.search(form):
        yield "control characters"
    if form != form.strip() and not any(each != each.strip() for each in forms_of(message.id)):
        yield "spaces at an end"


def forms_of(text: str | Sequence[str] | None) -> Sequence[str]:
    """Return the forms of a text, of which only a plural has several."""
    return (text or "",) if isinstance(text, str | None) else text
