"""Every column of the database that refers to a player, in the file that is handed out to them."""

import json
from typing import Any

from capsule.db.schema.personal import Owner
from tests.capsule.accounts.test_erased_everywhere import (
    OWN_WORDS,
    a_full_life,
    columns_with_players,
)
from tests.support.client import Client, link
from tests.support.stories import BOB

KEYS = {
    "": "active_on activity_shown_from created line name private_feed program_since website",
    "settings": "declines disabled_news language lists_bot_games lists_games may_be_featured narrow"
    " rated_against_bots rulers shows_activity takes_messages time_zone unicode_boards width_chosen"
    " words_first",
    "operator": "banned_for banned_until no_messages_until unread",
    "operator.actions": "action at detail name",
    "certificates": "first_used label last_used sha256_of_public_key valid_until",
    "code_for_another_device": "begins made tries_left",
    "former_names": "kept_until name",
    "muted_and_blocked": "kind name since",
    "mail": "address hour kinds refused_by_relay since turns",
    "mail_address_to_confirm": "address tries_left typed",
    "letters": "kind state told written",
    "seasons.months": "games month points reached",
    "seasons.events": "at kind points source",
    "reports": "about game made text",
    "favourites": "name since",
    "messages": "game sent text",
    "comments": "game text written",
    "notes": "game published text written",
    "annotated_games": "game published",
    "ratings": "games history mu provisional rating sigma uncertainty variant",
    "vacations": "begins ends",
    "games": "created ended id moves players points status variant winner",
    "puzzles.tries": "answer number variant",
    "puzzles.days": "day solved",
    "puzzles.mistakes": "game move solved",
    "puzzles.rating": "mu provisional rating sigma uncertainty",
    "puzzles.answers": "answered first_answer had_hint number rating_after right solution_shown"
    " solved variant",
    "votes": "cast game move number",
    "cup_entries": "by_the_capsule entered group month stayed",
    "cups_won": "group month",
    "tournaments_announced": "announced id status title variant",
    "tournament_seats": "left results_count seat taken tournament",
}
"""What the file says of each thing, which programs may rely on."""

WORDS_OF_A_FULL_LIFE = 7
"""The comment, the message, the note, the report, the line, the title, the operator's warning."""


def test_all_of_it_is_in_the_file_of_a_full_life(client: Client) -> None:
    a_full_life(client)
    client.get(link(client.get("/play/me/settings", BOB), "/activity/off"), BOB)
    exported = json.loads(client.get("/play/me/export.json", BOB))
    for name, place in places().items():
        assert found_at(exported, place), name
    for place, keys in KEYS.items():
        thing = found_at(exported, place) if place else exported
        first = thing[0] if isinstance(thing, list) else thing
        assert isinstance(first, dict)
        assert {*keys.split()} <= first.keys(), place
    assert exported["settings"]["shows_activity"] is False
    assert json.dumps(exported).count(OWN_WORDS) == WORDS_OF_A_FULL_LIFE
    assert "about bob" not in json.dumps(exported), "what others have reported is theirs"
    assert "to bob" not in json.dumps(exported)


def places() -> dict[str, str]:
    """Return where the file has the rows of each column that refers to their player."""
    said = {name: column.info["personal"] for name, column in columns_with_players().items()}
    return {name: how.place for name, how in said.items() if isinstance(how, Owner) and how.place}


def found_at(exported: Any, place: str) -> object:  # noqa: ANN401 - it is what JSON holds
    """Return what stands in the file at a place such as `operator.actions`."""
    for key in place.split("."):
        exported = exported[key]
    return exported
