"""Laws of play: how games go and end, which moves there are, and that positions are values."""

from collections.abc import Callable
from random import Random

from engine.game import IllegalMove, Position, Side
from engine.testing.games import RandomGames, copies, is_legal, refusal, some_moves
from engine.variants import VARIANTS


class PlayLaws(RandomGames):
    """The laws of play."""

    # How games go and end

    def test_every_game_ends_except_where_it_may_go_on_for_ever(self) -> None:
        """A game ends within `longest` moves, or its variant says that it may never end."""
        for game in self.games():
            outcome = game.last.outcome
            if self.variant.may_never_end:
                assert outcome is None or outcome.winner is not None, game.moves
                assert self.longest is None
            else:
                assert outcome is not None, game.moves
                assert self.longest is not None, "say how many moves the longest game takes"
                assert len(game.moves) <= self.longest, game.moves

    def test_there_are_moves_exactly_while_the_game_goes_on(self) -> None:
        """A position has moves exactly if it has no outcome."""
        for game in self.games():
            for position in game.positions:
                assert bool(some_moves(position)) == (position.outcome is None), game.moves

    def test_it_is_always_somebodys_turn(self) -> None:
        """X moves first, and every position has a side to move."""
        for game in self.games():
            assert game.positions[0].turn is Side.X
            assert all(position.turn in tuple(Side) for position in game.positions), game.moves

    def test_the_points_fit_the_winner(self) -> None:
        """A winner has one point, and a draw is worth what the variant says."""
        for game in self.games():
            outcome = game.last.outcome
            if outcome is None:
                continue
            points = dict(zip(Side, outcome.points, strict=True))
            if outcome.winner is None:
                assert outcome.points == self.variant.draw_points, game.moves
            else:
                assert points[outcome.winner] == 1, game.moves
                assert points[outcome.winner.other] in self.loser_points, game.moves

    def test_random_games_end_in_each_way_that_the_rules_know(self) -> None:
        """Many random games end in all of `endings`, and in no other way."""
        outcomes = [self.playout(Random(seed)).last.outcome for seed in range(200)]
        ways = {outcome and outcome.points for outcome in outcomes}
        assert ways == set(self.endings), f"{ways} instead of {set(self.endings)}"

    # Moves

    def test_every_legal_move_reads_as_itself_and_can_be_played(self) -> None:
        """A legal move is its own canonical notation, comes once, and changes the position."""
        for game in self.games():
            for position in game.positions:
                moves = some_moves(position)
                assert len(set(moves)) == len(moves), game.moves
                for move in moves:
                    assert position.parse(move) == move, (game.moves, move)
                    assert position.play(move) != position, (game.moves, move)

    def test_a_move_that_is_not_legal_is_refused_and_changes_nothing(self) -> None:
        """A move that cannot be played is an `IllegalMove`, in the same words both ways."""
        for game, random in self.games_with_luck():
            position = random.choice(game.positions)
            before = looks(position)
            legal = set(self.few_moves(position))
            for move in self.notations(position):
                parts = set(move.split("+")) if position.has_countless_moves else {move}
                played, parsed = refusal(position.play, move), refusal(position.parse, move)
                if parts <= legal:
                    assert played is parsed is None, (game.moves, move)
                else:
                    assert type(played) is type(parsed) is IllegalMove, (game.moves, move)
                    assert str(played) == str(parsed), (game.moves, move)
            assert looks(position) == before, game.moves

    def test_when_the_game_is_over_every_move_is_refused(self) -> None:
        """No move can be played once a game has an outcome."""
        for game in self.games():
            if game.last.outcome is not None:
                for move in self.notations(game.last):
                    assert type(refusal(game.last.play, move)) is IllegalMove, (game.moves, move)

    def test_random_and_promising_moves_are_legal_and_miss_no_win(self) -> None:
        """A search is given legal moves, once each, and all of them unless they are countless."""
        for game in self.games():
            for position in game.positions:
                if position.outcome is not None:
                    continue
                promising = position.promising_moves(20, Random(1))
                assert len(set(promising)) == len(promising), game.moves
                assert all(is_legal(position, move) for move in promising), game.moves
                assert is_legal(position, position.random_move(Random(1))), game.moves
                if position.has_countless_moves:
                    assert len(promising) <= 20, game.moves
                else:
                    assert list(promising) == list(position.legal_moves()), game.moves

    # Replaying

    def test_a_replay_comes_to_the_same_position(self) -> None:
        """The moves of a game lead to its positions again."""
        for game in self.games():
            for ply, position in enumerate(game.positions):
                again = self.variant.replay(game.moves[:ply])
                assert again == position, game.moves[:ply]
                assert looks(again) == looks(position), game.moves[:ply]

    def test_all_positions_of_a_game_are_different(self) -> None:
        """No position comes twice in a game."""
        for game in self.games():
            assert len(set(game.positions)) == len(game.positions), game.moves

    def test_a_replay_says_which_move_is_wrong_and_why(self) -> None:
        """A replay raises the error of the first wrong move, with its number and notation."""
        for game, random in self.games_with_luck():
            ply = random.randrange(len(game.positions))
            position = game.positions[ply]
            wrong = [move for move in self.notations(position) if not is_legal(position, move)]
            if not wrong:
                continue
            bad = random.choice(wrong)
            reason = refusal(position.play, bad)
            moves = [*game.moves[:ply], bad, *game.moves[ply:]]
            caught = refusal(lambda text: self.variant.replay(text.split()), " ".join(moves))
            assert type(caught) is IllegalMove, moves
            assert str(caught) == f"Move {ply + 1}, {bad}: {reason}"

    # Positions are values

    def test_playing_leaves_a_position_as_it_was(self) -> None:
        """Playing a move returns another position and changes nothing."""
        for game in self.games():
            for position in game.positions:
                before = looks(position)
                for move in some_moves(position):
                    position.play(move)
                assert looks(position) == before, game.moves

    def test_no_attribute_of_a_position_can_be_set_or_added(self) -> None:
        """A position is immutable."""
        for game in self.games()[:10]:
            position = game.last
            before = looks(position)
            for name in [*(name for name in dir(position) if not name.startswith("_")), "note"]:
                assert _is_refused(setattr, position, name, None), f"{name} could be set"
                assert _is_refused(delattr, position, name), f"{name} could be deleted"
            assert looks(position) == before, game.moves

    def test_a_position_survives_pickling_and_copying(self) -> None:
        """A position that went to another process is the same."""
        for game, random in self.games_with_luck():
            for position in (random.choice(game.positions), game.last):
                for same in copies(position):
                    assert same == position, game.moves
                    assert looks(same) == looks(position), game.moves

    def test_a_position_is_no_tuple_and_equals_none_of_another_variant(self) -> None:
        """A position has no order and no length, and belongs to one variant."""
        start = self.variant.start
        position = start.play(next(iter(start.legal_moves())))
        assert not isinstance(position, tuple)
        assert not hasattr(position, "__iter__")
        assert all(position != other.start for other in VARIANTS.values())

    # Symmetry, and the other side's turn

    def test_a_mirrored_game_is_the_same_game(self) -> None:
        """Each symmetry makes of a game another that goes and ends as it does."""
        for game in self.games()[:10]:
            mirrors = [self.variant.start] * self.symmetries
            for position, move in zip(game.positions, [*game.moves, None], strict=True):
                moves = self.few_moves(position)
                images = (
                    zip(*map(position.images, moves), strict=True) if moves else [()] * len(mirrors)
                )
                for mirror, mirrored_moves in zip(mirrors, images, strict=True):
                    assert set(mirrored_moves) == set(self.few_moves(mirror)), game.moves
                    assert mirror.turn is position.turn, game.moves
                    assert (mirror.outcome is None) == (position.outcome is None), game.moves
                if move is not None:
                    played = zip(mirrors, position.images(move), strict=True)
                    mirrors = [mirror.play(image) for mirror, image in played]
            for mirror in mirrors:
                ends = [
                    end and (end.winner, end.points) for end in (mirror.outcome, game.last.outcome)
                ]
                assert ends[0] == ends[1], game.moves

    def test_symmetries_are_all_different_and_none_is_missed(self) -> None:
        """The images of all moves differ from symmetry to symmetry; the first changes nothing."""
        positions = self.games()[0].positions
        # One cell lies the same way whichever way it is turned.
        position = next(each for each in positions if len(self.few_moves(each)) > 1)
        moves = self.few_moves(position)
        ways = list(zip(*map(position.images, moves), strict=True))
        assert len(ways) == len(set(ways)) == self.symmetries
        assert ways[0] == tuple(moves)

    def test_a_position_has_the_other_side_to_move_always_or_never(self) -> None:
        """A position with the other side to move, if there is one at all, is one of the game."""
        for game, random in self.games_with_luck():
            position = random.choice(game.positions)
            assert position.with_turn(position.turn) == position, game.moves
            other = position.with_turn(position.turn.other)
            assert (other is not None) == self.can_change_turn, game.moves
            if other is not None:
                assert other.turn is position.turn.other, game.moves
                assert position.outcome is None or other.outcome is not None, game.moves
                assert other.outcome is not None or some_moves(other), game.moves


def _is_refused(change: Callable[..., object], *arguments: object) -> bool:
    try:
        change(*arguments)
    # Python 3.11 has a frozen dataclass with slots say TypeError for what is no field of it.
    except (AttributeError, TypeError):
        return True
    return False


def looks(position: Position) -> tuple[object, ...]:
    """Return all that a position shows of itself."""
    return (
        hash(position),
        position.turn,
        position.outcome,
        some_moves(position),
        position.diagram(),
        position.close_up(),
        [str(sentence) for sentence in position.describe()],
    )
