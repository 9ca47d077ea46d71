"""What a signed-in player sees: games to start, to play and to look at."""
