"""The pages of a player's account."""
