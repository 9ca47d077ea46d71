"""Every column of the database that refers to a player, in the file that is handed out to them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.capsule.accounts.test_erased_everywhere import (
    OWN_WORDS,
    a_full_life,
    columns_with_players,
)
from tests.support.client import link
from tests.support.stories import BOB

if TYPE_CHECKING:
    from tests.support.client import Client

HANDED_OUT = {
    "annotated_games.player_id": "annotated_games",
    "certificates.player_id": "certificates",
    "comments.player_id": "comments",
    "cup_entries.player_id": "cup_entries",
    "cup_winners.player_id": "cups_won",
    "daily_solutions.player_id": "puzzles.days",
    "device_codes.player_id": "code_for_another_device",
    "everyones_votes.player_id": "votes",
    "favourites.player_id": "favourites",
    "former_names.player_id": "former_names",
    "games.challenged_player_id": "games",
    "games.o_player_id": "games",
    "games.seat_taken_by": "games",
    "games.x_player_id": "games",
    "introductions.player_id": "line",
    "mail_code_requests.player_id": "mail_codes_requested",
    "mail_codes.player_id": "mail_address_to_confirm",
    "mail_letters.player_id": "letters",
    "mail_looks.player_id": "looked_at_games",
    "mail_schedule.player_id": "mail",
    "mail_subscriptions.player_id": "mail",
    "mail_told.player_id": "letters",
    "messages.player_id": "messages",
    "mistake_solutions.player_id": "puzzles.mistakes",
    "notes.player_id": "notes",
    "operator_actions.player_id": "operator.actions",
    "private_feeds.player_id": "private_feed",
    "puzzle_answers.player_id": "puzzles.answers",
    "puzzle_tries.player_id": "puzzles.answers",
    "rating_changes.player_id": "ratings",
    "ratings.player_id": "ratings",
    "relations.player_id": "muted_and_blocked",
    "reports.reporter_id": "reports",
    "season_bans.player_id": "seasons.banned_from",
    "season_events.player_id": "seasons.events",
    "season_standings.player_id": "seasons.months",
    "solver_ratings.player_id": "puzzles.rating",
    "tournament_seats.player_id": "tournament_seats",
    "tournaments.announced_by": "tournaments_announced",
    "vacations.player_id": "vacations",
}
"""Columns, and where the file has what they belong to."""

OF_OTHERS = {
    "comments.o_recipient_id",
    "comments.x_recipient_id",
    "favourites.other_id",
    "messages.recipient_id",
    "relations.other_id",
    "reports.reported_id",
    "season_events.opponent_id",
}
"""Columns of what others have said or done, which the file keeps to those others."""

LEFT_OUT = {"carried_out.player_id": "what nobody can read: hashes of requests, for a week"}
"""Columns that the file does not have, and why."""

WORDS_OF_A_FULL_LIFE = 7
"""The comment, the message, the note, the report, the line, the title, the operator's warning."""


def test_every_column_is_handed_out_or_about_what_others_did() -> None:
    assert columns_with_players().keys() == HANDED_OUT.keys() | OF_OTHERS | LEFT_OUT.keys()
    assert not HANDED_OUT.keys() & OF_OTHERS


def test_all_of_it_is_in_the_file_of_a_full_life(client: Client) -> None:
    a_full_life(client)
    client.get(link(client.get("/play/me/settings", BOB), "/activity/off"), BOB)
    exported = json.loads(client.get("/play/me/export.json", BOB))
    for place in {*HANDED_OUT.values()}:
        assert found_at(exported, place), place
    assert exported["settings"]["shows_activity"] is False
    assert json.dumps(exported).count(OWN_WORDS) == WORDS_OF_A_FULL_LIFE
    assert "about bob" not in json.dumps(exported), "what others have reported is theirs"
    assert "to bob" not in json.dumps(exported)


def found_at(exported: Any, place: str) -> object:  # noqa: ANN401 - it is what JSON holds
    """Return what stands in the file at a place such as `operator.actions`."""
    for key in place.split("."):
        exported = exported[key]
    return exported
