"""Which games are listed: the rule, over all who may play and all that they may want."""

from hypothesis import given, strategies as some

from capsule.games.visibility import Listing, Party, is_listed

LISTINGS = some.sampled_from(Listing)
PEOPLE = some.builds(Party, is_person=some.just(value=True), listing=LISTINGS)
PROGRAMS = some.builds(Party, is_person=some.just(value=False), listing=LISTINGS)
ANYBODY = some.one_of(PEOPLE, PROGRAMS)


@given(ANYBODY, ANYBODY)
def test_the_sides_make_no_difference(one: Party, other: Party) -> None:
    assert is_listed(one, other) == is_listed(other, one)


@given(PROGRAMS, some.one_of(PROGRAMS, some.none()))
def test_a_game_without_a_person_is_never_listed(one: Party, other: Party | None) -> None:
    assert not is_listed(one, other)


@given(PEOPLE, PEOPLE)
def test_a_game_between_two_people_is_listed_unless_either_declines(
    one: Party, other: Party
) -> None:
    assert is_listed(one, other) == (one.listing.with_people and other.listing.with_people)


@given(PEOPLE, PROGRAMS)
def test_a_game_with_a_bot_is_listed_only_if_its_player_wants_it(
    person: Party, other: Party
) -> None:
    assert not is_listed(person, other) or person.listing.with_bots
    is_declined = other.listing in (Listing.NONE, Listing.SEAT)
    assert is_listed(person, other) == (person.listing.with_bots and not is_declined)


@given(PEOPLE)
def test_a_game_that_somebody_plays_alone_is_listed_only_on_request(person: Party) -> None:
    assert is_listed(person, None) == (person.listing is Listing.ALL)
