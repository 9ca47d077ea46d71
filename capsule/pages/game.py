"""A game's pages: as it stands, after any of its moves, and in words."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from capsule import answers, bot_games, games, identity

if TYPE_CHECKING:
    from capsule.exchange import Request, Response
    from capsule.game import Game
    from capsule.site import Site

MOST_MOVE_LINKS = 12
"""Where no more moves than this are legal, each has a link of its own."""


def as_it_stands(site: Site, request: Request, game_id: str) -> Response:
    """Return the page that people share: for the players, and for anyone who comes by."""
    certificate = identity.valid_certificate(site, request)
    game, player = games.visit(site, certificate, game_id)
    if game is None:
        raise answers.NotThere
    visitor = identity.Visitor(certificate, player)
    few_moves = tuple(islice(game.position.legal_moves(), MOST_MOVE_LINKS + 1))
    return answers.page(
        "game.gmi",
        **shown(site, game),
        visitor=visitor,
        key=visitor.game_key(site, game_id, game.stored.turn_counter),
        seats=game.seats_of(visitor.player),
        is_your_turn=game.is_turn_of(visitor.player),
        acting_side=game.side_acting_for(visitor.player),
        move_links=few_moves if len(few_moves) <= MOST_MOVE_LINKS else (),
        may_ask_hint=bot_games.may_ask_hint(game, visitor.player),
        may_offer_draw=game.may_offer_draw(visitor.player),
        may_answer_draw=game.may_answer_draw(visitor.player),
    )


def earlier(site: Site, request: Request, game_id: str, ply: str) -> Response:
    """Return the position after a number of moves: the same page for ever."""
    del request
    return answers.page("position.gmi", **shown(site, _game(site, game_id, int(ply))))


def in_words(site: Site, request: Request, game_id: str) -> Response:
    """Return the position in words, for people who listen to their screen."""
    del request
    game = _game(site, game_id)
    return answers.page("words.gmi", **shown(site, game), moves=games.all_moves(site, game))


def _game(site: Site, game_id: str, ply: int | None = None) -> Game:
    game = games.look_at(site, game_id, ply)
    if game is None:
        raise answers.NotThere
    return game


def shown(site: Site, game: Game) -> dict[str, object]:
    """Return what the templates of a game's pages all show."""
    stored = game.stored
    return {
        "game": game,
        "stored": stored,
        "variant": game.variant,
        "position": game.position,
        "names": {"X": stored.x_name, "O": stored.o_name},
        "turn": game.position.turn.value,
        "open_side": game.open_side and game.open_side.value,
        "last": game.recent[-1] if game.recent else None,
        "address": f"{site.origin}/play/{stored.id}",
    }
