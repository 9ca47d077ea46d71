"""Reading about the games: a whole game told, strategy, history, and facts."""
