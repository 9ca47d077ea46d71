"""Stories of programs that play."""
