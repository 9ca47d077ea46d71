"""The pages of e-mail: the player's own, and the one that stops it."""
