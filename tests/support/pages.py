"""Pages as people read them: a title, links by their labels, and text."""

from dataclasses import dataclass

from capsule.gemini.types import Certificate
from tests.support.client import Client, links


@dataclass(frozen=True)
class Page:
    """A page of gemtext."""

    body: str

    @property
    def title(self) -> str:
        """The first heading."""
        return self.body.partition("\n")[0].removeprefix("# ")

    @property
    def links(self) -> dict[str, str]:
        """The addresses that links lead to, by their labels."""
        return links(self.body)

    def link(self, word: str) -> str:
        """Return the address of the only link that has a word in its label."""
        (found,) = {url for label, url in self.links.items() if word.lower() in label.lower()}
        return found

    def __contains__(self, text: str) -> bool:
        return text in self.body


def read(client: Client, url: str, who: Certificate | None = None) -> Page:
    """Return the page that a browser shows."""
    return Page(client.get(url, who))
