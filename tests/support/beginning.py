"""Games that are begun without a browser."""

from capsule.accounts.model import Player
from capsule.context import AppContext
from capsule.play import challenges, starting
from capsule.play.starting import DEFAULT_TERMS, Beginning, GameTerms
from engine import Variant


def begin(
    context: AppContext,
    player: Player,
    variant: Variant,
    way: str,
    terms: GameTerms = DEFAULT_TERMS,
) -> str:
    """Start a game in one of the `starting.WAYS`, and return its id."""
    with context.writing() as transaction:
        return starting.start(transaction, player, way, terms, Beginning(variant))


def challenge(
    context: AppContext,
    player: Player,
    variant: Variant,
    name: str,
    terms: GameTerms = DEFAULT_TERMS,
) -> str:
    """Challenge the player of that name, and return the game's id."""
    with context.writing() as transaction:
        return challenges.challenge(transaction, player, name, terms, Beginning(variant))
