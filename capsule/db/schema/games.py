"""Tables of games, absent variants, reached positions, featured games and everyone's game."""

import sqlalchemy as sa

from capsule.db.schema.base import Moment, flag, partial_index, reference, table, text, words
from capsule.db.schema.personal import detail, left_out, owner

_OPPONENTS = "the opponent's game stays, a former player's"

_OPEN = "precedence IS NOT NULL"

# The games in public feeds, which have none of tournaments.
_TOLD = "{listed} AND tournament_id IS NULL"
_TOLD_ENDED = f"{_TOLD} AND x_points IS NOT NULL"

games = table(
    "games",
    sa.Column("id", sa.String(10), primary_key=True),
    text("variant", 16),
    sa.Column("listed", sa.Boolean, nullable=False),
    owner("games", stays=_OPPONENTS, column="x_player_id", nullable=True),
    owner("games", stays=_OPPONENTS, column="o_player_id", nullable=True),
    text("status", 16),
    sa.Column("winner", sa.String(1)),
    sa.Column("x_points", sa.Float),
    sa.Column("o_points", sa.Float),
    sa.Column("ply", sa.Integer, nullable=False, default=0),
    text("turn", 1),
    # Raised by every move, takeback and ending, never lowered: a link made at one count is void at
    # the next.
    sa.Column("turn_counter", sa.Integer, nullable=False, default=0),
    sa.Column("draw_offered_by", sa.String(1)),
    # The turn counter at which each side last offered a draw: that is allowed once a turn.
    sa.Column("x_offered_at_turn", sa.Integer),
    sa.Column("o_offered_at_turn", sa.Integer),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("moved_at", Moment, nullable=False),
    sa.Column("ended_at", Moment),
    # The level of the bot that has the seat, if a bot has it.
    sa.Column("x_bot", sa.String(16)),
    sa.Column("o_bot", sa.String(16)),
    flag("bot_to_move"),
    sa.Column("hints", sa.Integer, nullable=False, default=0, server_default="0"),
    # Set when the game ends with a result, until its analysis is stored.
    flag("analysis_due"),
    # Set when the game ends with a result, until its points for the season are stored.
    flag("season_due"),
    # When two people had taken the seats; None for a game that a player plays alone or with a bot.
    sa.Column("started_at", Moment),
    # The terms: days per move, None for no limit, and whether taking the open seat lists the game,
    # for a person and, below, for a program.
    sa.Column("days_a_move", sa.Integer),
    flag("lists_when_joined"),
    flag("lists_with_bots"),
    sa.Column("takeback_asked_by", sa.String(1)),
    # The turn counter at which each side last asked for a takeback, likewise.
    sa.Column("x_takeback_asked_at_turn", sa.Integer),
    sa.Column("o_takeback_asked_at_turn", sa.Integer),
    # When a draw was last offered and a takeback last asked for; None if never, or before the
    # capsule stored these times.
    sa.Column("draw_offered_at", Moment),
    sa.Column("takeback_asked_at", Moment),
    # Of a listed game with an open seat: 0 for the first of its player's, −1 for the second, and so
    # on. Lists are sorted by it, backwards, so that everybody's first seats stand before others.
    sa.Column("precedence", sa.Integer),
    # The player who took the seat that was open to anyone.
    owner("games", stays=_OPPONENTS, column="seat_taken_by", nullable=True),
    # The player who is challenged to take the open seat, if it is not for anyone.
    owner("games", stays=_OPPONENTS, column="challenged_player_id", nullable=True),
    # Whether that player has declined, which ended it.
    flag("declined"),
    # Why it ended without a result, and the side that brought that about, if one did; None for
    # games that ended with one, or before the capsule stored reasons.
    sa.Column("end_reason", sa.String(16)),
    sa.Column("ended_by", sa.String(1)),
    # The game of which this is the rematch, and the rematch that was offered last.
    sa.Column("previous_id", sa.ForeignKey("games.id")),
    sa.Column("next_id", sa.ForeignKey("games.id")),
    # Whether the terms let it count for ratings.
    flag("rated"),
    # Whether it does not count since its players began enough others that day.
    flag("surplus"),
    # The number of takebacks, each of which may remove several moves; one keeps it from counting.
    sa.Column("takebacks", sa.Integer, nullable=False, default=0, server_default="0"),
    # Its number among the games that changed ratings; None if it changed none.
    sa.Column("rating_number", sa.Integer),
    # The tournament to which it belongs, if any.
    reference("tournament_id"),
    # When a game of a cup ends at the latest.
    sa.Column("ends_by", Moment),
    # The number of moves that lead to the position from which people have played on.
    sa.Column("start_ply", sa.Integer, nullable=False, default=0, server_default="0"),
    # Whether its first moves are counted among the explored positions, as those of a listed game
    # with a result are.
    flag("explored"),
    # Whether each player lets visitors read the messages under the game.
    flag("x_shows_messages"),
    flag("o_shows_messages"),
    # The side of everyone, whose moves are voted for; None in all other games.
    sa.Column("everyones_side", sa.String(1)),
    # The comments under it that have not been removed, and whether its players take no more.
    sa.Column("comments", sa.Integer, nullable=False, default=0, server_default="0"),
    flag("comments_closed"),
    partial_index(
        "ix_games_explorer_due", "id", where="x_points IS NOT NULL AND listed <> explored"
    ),
    sa.Index("ix_games_tournament", "tournament_id", "status"),
    sa.Index("ix_games_rating_number", "rating_number", unique=True),
    sa.Index("ix_games_challenged", "challenged_player_id", "status", "moved_at", "id"),
    partial_index("ix_games_open_seats", "precedence moved_at id variant", where=_OPEN),
    partial_index("ix_games_open_seats_variant", "variant precedence moved_at id", where=_OPEN),
    partial_index(
        "ix_games_seats_taken", "seat_taken_by started_at", where="seat_taken_by IS NOT NULL"
    ),
    partial_index(
        "ix_games_rated_together", "x_player_id o_player_id variant started_at", where="{rated}"
    ),
    partial_index(
        "ix_games_met",
        "x_player_id x_bot o_player_id o_bot variant",
        where="rating_number IS NOT NULL",
    ),
    partial_index("ix_games_declined", "challenged_player_id ended_at", where="{declined}"),
    partial_index("ix_games_clock", "status days_a_move moved_at id", where="ended_at IS NULL"),
    partial_index("ix_games_lapse", "status listed created_at id", where="ended_at IS NULL"),
    partial_index(
        "ix_games_ends_by", "ends_by id", where="ends_by IS NOT NULL AND ended_at IS NULL"
    ),
    partial_index("ix_games_analysis_due", "ended_at id", where="{analysis_due}"),
    partial_index("ix_games_season_due", "ended_at id", where="{season_due}"),
    partial_index("ix_games_bot_to_move", "moved_at id", where="{bot_to_move}"),
    partial_index("ix_games_draw_offered", "moved_at id", where="draw_offered_by IS NOT NULL"),
    *(
        # A player's whole games against each level of bots: the last say whom to play next.
        partial_index(
            f"ix_games_{side}_player_bots",
            f"{side}_player_id variant {other}_bot moved_at winner",
            where=f"x_points IS NOT NULL AND start_ply = 0 AND {other}_bot IS NOT NULL",
        )
        for side, other in (("x", "o"), ("o", "x"))
    ),
    partial_index("ix_games_played", "moved_at x_player_id o_player_id variant", where="ply > 0"),
    # All columns that the score between two people needs, so that only the index is read: see
    # `capsule.games.player_queries`.
    partial_index(
        "ix_games_between",
        "x_player_id o_player_id moved_at variant winner x_points",
        where="x_points IS NOT NULL AND x_player_id <> o_player_id",
    ),
    sa.Index("ix_games_x_player", "x_player_id", "status", "moved_at", "id"),
    sa.Index("ix_games_o_player", "o_player_id", "status", "moved_at", "id"),
    sa.Index("ix_games_listed", "listed", "status", "moved_at", "id"),
    sa.Index("ix_games_listed_variant", "listed", "variant", "status", "moved_at", "id"),
    *(
        # All columns that a player's results need, so that only the index is read. A game is
        # entered once, at its end: see `capsule.lobby.queries`.
        partial_index(
            f"ix_games_{side}_player_results",
            f"{side}_player_id moved_at id variant {other}_player_id {other}_bot"
            " x_points o_points listed rated",
            where="x_points IS NOT NULL AND ({listed} OR {rated})",
        )
        for side, other in (("x", "o"), ("o", "x"))
    ),
    partial_index("ix_games_begun", "listed created_at id", where="{listed}"),
    partial_index("ix_games_begun_variant", "listed variant created_at id", where="{listed}"),
    partial_index("ix_games_x_player_listed", "x_player_id status moved_at id", where="{listed}"),
    partial_index("ix_games_o_player_listed", "o_player_id status moved_at id", where="{listed}"),
    partial_index("ix_games_told", "listed tournament_id created_at id", where=_TOLD),
    partial_index(
        "ix_games_told_variant", "listed tournament_id variant created_at id", where=_TOLD
    ),
    partial_index("ix_games_told_ended", "listed tournament_id moved_at id", where=_TOLD_ENDED),
    partial_index(
        "ix_games_told_ended_variant", "listed tournament_id variant moved_at id", where=_TOLD_ENDED
    ),
)

moves = table(
    "moves",
    # The key allows only one nth move, whichever process or device it comes from.
    reference("game_id", primary_key=True),
    sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
    # Tinc moves name cells, whose names grow with the grid; other variants need far less.
    text("move", 64),
    text("side", 1),
    sa.Column("played_at", Moment, nullable=False),
    # 0 until moves of the game are taken back, and higher after each takeback: it sets a move apart
    # from earlier nth moves.
    sa.Column("takebacks", sa.Integer, nullable=False, default=0, server_default="0"),
    # Whether it was planned in advance, so that its player never had to move.
    flag("planned"),
    # The file is sorted by the key, so that the moves of a game are stored together.
    sqlite_with_rowid=False,
)

analyses = table(
    "analyses",
    reference("game_id", primary_key=True),
    # JSON, as `engine.bots.analysis` writes it.
    sa.Column("content", sa.Text, nullable=False),
)

vacations = table(
    "vacations",
    sa.Column("id", sa.Integer, primary_key=True),
    owner("vacations", "id"),
    sa.Column("begins_at", Moment, nullable=False, info=detail("begins")),
    sa.Column("ends_at", Moment, nullable=False, info=detail("ends")),
    sa.Index("ix_vacations_player", "player_id", "ends_at"),
)
"""The periods in which players' clocks stand still."""

plans = table(
    "plans",
    reference("game_id", primary_key=True),
    sa.Column("side", sa.String(1), primary_key=True),
    # Lines of moves from the current position, with the moves of a line separated by spaces.
    sa.Column("content", sa.Text, nullable=False),
)
"""Players' conditional moves, which only they can see."""


absent_variants = table(
    "absent_variants",
    sa.Column("variant", sa.String(16), primary_key=True),
    # When the capsule first started without it.
    sa.Column("since", Moment, nullable=False),
)

_ABSENT = sa.select(absent_variants.c.variant)


def is_present(variant: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """Return the condition that a variant is not absent, for all lists and counts of its games."""
    # While none is absent, which is nearly always, SQLite need not look beyond an index for it.
    return sa.or_(~_ABSENT.exists(), variant.not_in(_ABSENT))


explored_positions = table(
    "explored_positions",
    # The number of a position of a variant, the same for all that look like it.
    sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
    # A move made there, in the orientation that represents all; "" for the position itself.
    sa.Column("move", sa.String(64), primary_key=True),
    # How often people and bots were to move, or made the move, and what they scored in all.
    sa.Column("people", sa.Integer, nullable=False),
    sa.Column("people_points", sa.Float, nullable=False),
    sa.Column("bots", sa.Integer, nullable=False),
    sa.Column("bots_points", sa.Float, nullable=False),
    # What best play from there brings X, from 0 to 1, if that is known; after a move, if it is
    # the row of one.
    sa.Column("x_value", sa.Float),
    # The file is sorted by the key, so that a position and its moves are stored together.
    sqlite_with_rowid=False,
)


featured_games = table(
    "featured_games",
    # The Monday, in UTC.
    sa.Column("week", sa.Date, primary_key=True),
    # None if there was no game to choose.
    reference("game_id"),
    # When the operator picked it; None if it was chosen by its turning points.
    sa.Column("picked_at", Moment),
    # The operator's reason, or "" and the number of turning points of a game chosen by them.
    words("why", 280),
    sa.Column("turning_points", sa.Integer, nullable=False, default=0, server_default="0"),
)


everyones_games = table(
    "everyones_games",
    # From 1 upwards. The key allows only one nth game, whichever process begins it.
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    reference("game_id", nullable=False),
    # The results of the earlier games, as the people have them.
    sa.Column("won", sa.Integer, nullable=False),
    sa.Column("drawn", sa.Integer, nullable=False),
    sa.Column("lost", sa.Integer, nullable=False),
    sa.Index("ix_everyones_games_game", "game_id", unique=True),
)

everyones_votes = table(
    "everyones_votes",
    reference("game_id", primary_key=True, info=detail("game")),
    # The number that the move would have in the game.
    sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False, info=detail("number")),
    # The key allows each player only one vote for a move.
    owner("votes", "cast_at", where=lambda vote: vote.move != "", primary_key=True),
    text("move", 64, info=detail("move")),
    sa.Column("cast_at", Moment, nullable=False, info=detail("cast")),
    # How often the player has voted for this move of the game: a link votes once.
    sa.Column("changes", sa.Integer, nullable=False, info=left_out("only the last one counts")),
    sa.Index("ix_everyones_votes_player", "player_id"),
)
