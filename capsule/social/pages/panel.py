"""The social section of a game's page: messages, notes, and the links about the opponent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from capsule.accounts.identity import NONE_YET, Visitor
from capsule.accounts.model import Player
from capsule.accounts.pages.action import Action, ActionsOf, Attempt
from capsule.context import AppContext, Transaction
from capsule.errors import NotFound, OutdatedAction
from capsule.games import queries as game_queries
from capsule.games.game import Game
from capsule.games.point_of_view import view_of
from capsule.games.reading import load_game
from capsule.gemini.types import Request
from capsule.social import messages, notes
from capsule.social.model import MessagesAgreement, Person, SocialPanel, StoredLine, StoredNote
from engine import Message

PEOPLE_SUBJECT = "people"
"""The subject of the keys to mute, block and report others, and to share messages."""


LINE_NUMBER = "[1-9][0-9]{0,8}"
"""The pattern of the number of a message or a comment."""


@dataclass(frozen=True)
class SocialSection:
    """The social section of a game's page, made for one visitor.

    `player` is the visitor's, and `panel` what was read for them. `opponent` is the other person at
    a game that the player plays or could join. `agreement` is None unless the player plays with
    another person; then `refusal` says why they cannot write to the opponent, if they cannot. The
    keys let the player send a message, change their notes and mute or block the opponent; each is
    "" if that is not possible.
    """

    game: Game
    player: Player | None
    panel: SocialPanel
    opponent: Person | None
    agreement: MessagesAgreement | None
    refusal: Message | None
    message_key: str
    note_key: str
    relation_key: str

    @property
    def path(self) -> str:
        """The path of the game's page."""
        return f"/play/{self.game.stored.id}"

    @property
    def opponent_name(self) -> str:
        """The opponent's name, "" for a former player or if there is no opponent."""
        return self.opponent.name if self.opponent else ""

    @property
    def takes_messages(self) -> bool:
        """Whether the visitor takes messages: a player can choose not to."""
        return self.player is None or self.player.takes_messages

    @property
    def messages(self) -> Sequence[StoredLine]:
        """The last messages, the oldest first; none for a player who takes none."""
        return self.panel.messages if self.takes_messages else ()

    @property
    def names(self) -> Mapping[int | None, str | None]:
        """The names of the two players by their numbers."""
        return names_in(self.game)

    @property
    def has_more_messages(self) -> bool:
        """Whether there may be more messages than the last ones."""
        return len(self.panel.messages) == messages.MESSAGES_SHOWN

    @property
    def may_write(self) -> bool:
        """Whether the player may send the opponent a message."""
        return self.agreement is not None and self.refusal is None

    @property
    def asks_agreement(self) -> bool:
        """Whether to ask the player to let visitors read the messages, or say who does."""
        return self.agreement is not None and (self.agreement.is_begun or bool(self.messages))

    @property
    def notes(self) -> Sequence[StoredNote]:
        """The player's notes on the game, the oldest first."""
        return notes.written_notes(self.panel.notes)

    @property
    def is_seat_refused(self) -> bool:
        """Whether the open seat is refused to the player because of a block."""
        return self.panel.is_apart and self.game.stored.open_side is not None

    @property
    def may_act_upon_opponent(self) -> bool:
        """Whether to offer the player to mute, block and report the opponent."""
        view = view_of(self.game, self.player)
        return self.opponent_name != "" and (view.is_seated or view.may_answer_challenge)


def message_subject(game_id: str) -> str:
    """Return the subject of the keys to send messages under a game."""
    return f"messages {game_id}"


def comment_subject(game_id: str) -> str:
    """Return the subject of the keys to comment on a game."""
    return f"comments {game_id}"


def note_subject(game_id: str) -> str:
    """Return the subject of the keys to change one's notes on a game."""
    return f"notes {game_id}"


def game_path(attempt: Attempt) -> str:
    """Return the address of the game that an action is about."""
    return f"/play/{attempt['game_id']}"


people_action = partial(Action, counter=ActionsOf(PEOPLE_SUBJECT))
"""Makes an action with the keys about people."""

in_game = partial(people_action, back=game_path)
"""Makes such an action that leads back to a game."""


def game_at(transaction: Transaction, game_id: str) -> Game:
    """Return a game as it is now; raises `NotFound`."""
    stored = game_queries.game_by_id(transaction.connection, game_id)
    if stored is None:
        raise NotFound
    return load_game(transaction.context, transaction.connection, stored)


def opponent_in(transaction: Transaction, attempt: Attempt) -> Person:
    """Return the opponent of who attempts something in a game; raises `OutdatedAction` if none."""
    game = game_at(transaction, attempt["game_id"])
    opponent = messages.opponent_of(game, attempt.player)
    if opponent is None or not opponent.name:
        raise OutdatedAction
    return opponent


def wanted_number(request: Request) -> int | None:
    """Return the number of the line with which a page is to begin, None for the last page."""
    return int(request.query) if request.query else None


def names_in(game: Game) -> Mapping[int | None, str | None]:
    """Return the names of the players of a game by their numbers."""
    return {seat.player_id: seat.player_name for seat in game.stored.seats.values()}


def social_section(
    context: AppContext, game: Game, visitor: Visitor, panel: SocialPanel
) -> SocialSection:
    """Return the social section of a game's page for a visitor.

    `panel` comes from `messages.panel_for` for the visitor's player. Nothing is read here.
    """
    player = visitor.player
    opponent = messages.opponent_of(game, player)
    agreement = messages.agreement_of(game, player)
    refusal = None
    if player is not None and opponent is not None and agreement is not None:
        refusal = messages.refusal(game, player, opponent, panel)
    game_id = game.stored.id
    # The number of the newest note only ever rises.
    newest = panel.notes[-1].id if panel.notes else NONE_YET
    return SocialSection(
        game=game,
        player=player,
        panel=panel,
        opponent=opponent,
        agreement=agreement,
        refusal=refusal,
        message_key=(
            visitor.key(context, message_subject(game_id), panel.last_sent) if agreement else ""
        ),
        note_key=visitor.key(context, note_subject(game_id), newest) if player else "",
        relation_key=visitor.account_key(context, PEOPLE_SUBJECT) if opponent else "",
    )
