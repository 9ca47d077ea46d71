"""Reading about the games: an annotated game, strategy, history, and facts."""
