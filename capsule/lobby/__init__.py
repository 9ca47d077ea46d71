"""Pages for everybody: the home page, public games, players, rules, help and feeds."""
