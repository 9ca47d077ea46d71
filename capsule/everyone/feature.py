"""Everyone's game as a feature; of a player's votes, the moves that were played stay."""

from capsule.context import Transaction
from capsule.db.schema.games import everyones_votes
from capsule.everyone import feed, pages, queries, voting
from capsule.feature import Feature
from engine import Message
from engine.game import message


def home(transaction: Transaction) -> tuple[str, Message] | None:
    """Return the line about the newest game."""
    game = queries.newest_game(transaction.connection)
    if game is None:
        return None
    variant = game.stored.variant.name
    return "/everyone/", message("Everyone's game: {variant}, vote now", variant=variant)


FEATURE = Feature(
    pages.ROUTES,
    (everyones_votes,),
    sweep=((voting.advance, "Everyone's game could not go on"),),
    on_ban=lambda _, connection, player: queries.withdraw_votes(connection, player.id),
    letter_entries=feed.letter_entries,
    home=home,
)
