"""Everyone's game: people against a bot, one move a day by vote."""
