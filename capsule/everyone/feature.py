"""Everyone's game as a feature; of a player's votes, the moves that were played stay."""

from sqlalchemy import Connection

from capsule.accounts.model import Player
from capsule.context import AppContext
from capsule.db.schema.games import everyones_votes
from capsule.everyone import pages, queries, voting
from capsule.feature import Feature


def on_ban(_context: AppContext, connection: Connection, player: Player) -> None:
    """Take back the player's votes that are not counted yet."""
    queries.withdraw_votes(connection, player.id)


FEATURE = Feature(
    pages.ROUTES,
    (everyones_votes,),
    sweep=((voting.advance, "Everyone's game could not go on"),),
    on_ban=on_ban,
)
