"""What anybody reads: the home page, public games, players, rules, help and feeds."""
