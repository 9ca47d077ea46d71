"""What can be counted of the games: how it is computed, and what came of it."""
