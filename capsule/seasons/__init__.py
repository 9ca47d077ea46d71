"""The season: a table a month of the points that people earn in games and by daily positions."""
