"""The pages of games: starting one, playing, watching, and each player's own."""
