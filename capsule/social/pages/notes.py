"""Notes on games: private ones, and published ones."""

from dataclasses import replace
from itertools import groupby

from capsule.accounts import identity, names
from capsule.accounts.pages.action import NOTHING_CHANGED, Action, ActionsOf, Attempt, StaleNotice
from capsule.context import Transaction, reading
from capsule.gemini.types import Request, Response
from capsule.social import line_queries, lines
from capsule.social.pages import messages
from capsule.ui import atom, responses, typed_words
from capsule.ui.routes import ANY, FEED, GAME, KEY, Routes, cacheable, named, narrowable, one_of
from engine import message

SUBJECT = "published notes"
"""The subject of the keys to publish notes."""

PAGE_SIZE = 20
"""The number of annotated games on one page of their list."""

_VERBS = {"publish": lines.publish_notes, "unpublish": lines.unpublish_notes}


def notes_path(game_id: str) -> str:
    """Return the address of the published notes on a game."""
    return f"/play/{game_id}/notes"


def _change(transaction: Transaction, attempt: Attempt) -> str:
    verb, game_id = attempt["verb"], attempt["game_id"]
    _VERBS[verb](transaction, attempt.player, game_id)
    return notes_path(game_id) if verb == "publish" else f"{messages.game_path(attempt)}/more"


CHANGE = Action(
    name="change",
    counter=ActionsOf(SUBJECT),
    back=messages.game_path,
    does=_change,
    notice=replace(NOTHING_CHANGED, refused=message("Nothing was published. {reason}.")),
)


@cacheable
@narrowable
@reading
def show(transaction: Transaction, request: Request, game_id: str) -> Response:
    """Return the published notes on a game, by its moves."""
    context, connection = transaction.context, transaction.connection
    game = messages.game_at(transaction, game_id)
    visitor = identity.visitor_of(transaction, request)
    player = visitor.player
    published = line_queries.published_notes(connection, game_id, player)
    authors = line_queries.authors_of(connection, game_id, player) if player else {}
    return responses.page(
        visitor.preferences,
        "social/annotation.gmi",
        stored=game.stored,
        by_move={ply: [*found] for ply, found in groupby(published, lambda note: note.ply)},
        own=lines.own_annotation(transaction, game, player),
        key=visitor.account_key(context, SUBJECT),
        others={
            number: author.name
            for number, author in authors.items()
            if player and author.id != player.id
        },
        report_key=visitor.account_key(context, messages.PEOPLE_SUBJECT),
    )


@cacheable
@reading
def annotated(transaction: Transaction, request: Request) -> Response:
    """Return the list of annotated games; the query is the number of that with which it begins."""
    number = messages.wanted_number(request)
    found = line_queries.annotated(transaction.connection, PAGE_SIZE + 1, number)
    return responses.page(
        identity.visitor_of(transaction, request).preferences,
        "social/annotated_games.gmi",
        games=found[:PAGE_SIZE],
        older=found[PAGE_SIZE].number if len(found) > PAGE_SIZE else None,
        is_first=number is None,
    )


@reading
def feed(transaction: Transaction, request: Request, form: str | None) -> Response:
    """Return the feed of the annotated games."""
    found = atom.Feed(
        atom.FeedKind.ANNOTATED,
        path="/games/annotated/feed",
        home="/games/annotated",
        title=message("Oxonaut: annotated games"),
        entries=[
            atom.Entry(
                f"{notes_path(each.game.id)}?{each.number}",
                each.published_at,
                message(
                    "{variant}: {x} – {o}, with notes by {author}",
                    variant=each.game.variant.name,
                    x=each.game.x.name or names.FORMER,
                    o=each.game.o.name or names.FORMER,
                    author=each.author,
                ),
            )
            for each in line_queries.annotated(transaction.connection, atom.MAX_ENTRIES)
        ],
    )
    return identity.feed_page(transaction, request, found, form)


_NOTHING_NOTED = StaleNotice(
    message("Nothing was noted: that page was out of date."),
    message("That link was out of date: your notes have not been changed."),
    refused=message("Nothing was noted. {reason}."),
)

ADD = replace(
    messages.write_action(
        "add",
        line_queries.NOTES,
        lambda *_: message(
            "Your note, private until you publish it. Begin with a number for a move: “12: a "
            "mistake”"
        ),
        lines.add_note,
    ),
    notice=_NOTHING_NOTED,
)

CLEAR_ALL = Action(
    name="clear",
    counter=messages.LastLine(line_queries.NOTES),
    back=messages.game_path,
    notice=_NOTHING_NOTED,
    asks=lambda *_: [message("Type {word} to clear your notes on this game")],
    word=typed_words.CLEAR,
    does=lambda transaction, attempt: lines.clear_notes(
        transaction, attempt.player, attempt["game_id"]
    ),
)


ROUTES: Routes = (
    *named(
        "social.pages.annotations",
        (
            ("/games/annotated", annotated, "[1-9][0-9]{0,8}"),
            (f"/games/annotated/{FEED}", feed),
            (f"/play/{GAME}/notes", show),
            (f"/play/{GAME}/{KEY}/{one_of('verb', _VERBS)}", CHANGE),
        ),
    ),
    *named(
        "social.pages.notes",
        ((f"/play/{GAME}/{KEY}/note", ADD, ANY), (f"/play/{GAME}/{KEY}/clear", CLEAR_ALL, ANY)),
    ),
)
