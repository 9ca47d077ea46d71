"""Positions modulo the symmetries of their board: one orientation represents all."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.game import Position


@dataclass(frozen=True)
class CanonicalPosition:
    """A position of a game, and the orientation that represents it.

    `identity` is the text that all its orientations share. `symmetries` are the places, in what
    `Position.images` returns, of those that turn the game into that orientation: several if the
    position looks the same from several sides, None at the start, when all do.
    """

    start: Position
    moves: tuple[str, ...]
    position: Position
    identity: str
    symmetries: tuple[int, ...] | None

    def image(self, move: str) -> str:
        """Return the image of a legal move of the position."""
        images = self.position.images(move)
        places = range(len(images)) if self.symmetries is None else self.symmetries
        return min(images[place] for place in places)

    def originals(self, images: Sequence[str]) -> Sequence[str]:
        """Return for each image a legal move of the position."""
        if self.symmetries is None:
            return images
        position, turned, ways_back = self.start, self.start, None
        for move in self.moves:
            turned_move = position.images(move)[self.symmetries[0]]
            ways = {place for place, way in enumerate(turned.images(turned_move)) if way == move}
            ways_back = ways if ways_back is None else ways_back & ways
            position, turned = position.play(move), turned.play(turned_move)
        way_back = min(ways_back or {0})
        return [turned.images(image)[way_back] for image in images]


def canonical_positions(start: Position, moves: Sequence[str]) -> Sequence[CanonicalPosition]:
    """Return the positions of a game, from the start to the one after its last move.

    Each of the moves is legal, and in canonical notation.
    """
    found = [CanonicalPosition(start, (), start, start.identity(), None)]
    position, games = start, [start]
    for number, move in enumerate(moves, 1):
        images = position.images(move)
        if number == 1:
            games = [start] * len(images)
        # Symmetric positions have images that are one game: each is played on once.
        after = {(game, image): game.play(image) for game, image in zip(games, images, strict=True)}
        games = [after[game, image] for game, image in zip(games, images, strict=True)]
        position = games[0]
        texts = {game: game.identity() for game in games}
        identity = min(texts.values())
        found.append(
            CanonicalPosition(
                start,
                tuple(moves[:number]),
                position,
                identity,
                tuple(place for place, game in enumerate(games) if texts[game] == identity),
            )
        )
    return found
