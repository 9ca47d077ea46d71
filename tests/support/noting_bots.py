"""Bots that never reply."""

from capsule.bots.service import BotService


class NotingBots(BotService):
    """Notes the requests for replies: the address of the game, and its turn counter."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, int]] = []

    def request_reply(self, game_id: str, turn_counter: int, owner: object) -> None:
        """Note a request."""
        self.requests.append((f"/play/{game_id}", turn_counter))
