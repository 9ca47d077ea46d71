"""The language of an address: a request passes without it, and is answered in it."""

from capsule.gemini.types import Answer, Handler, Request
from capsule.languages.addresses import in_language, language_for
from capsule.languages.model import override_language
from capsule.ui.responses import redirect


def from_address(handle: Handler, request: Request) -> Answer:
    """Activate the language of the address, or redirect to the address that there is instead.

    It is active until the page finds what its reader has chosen.
    """
    found = in_language(request)
    if isinstance(found, str):
        return redirect(found)
    with override_language(language_for(found)):
        return handle(found)
