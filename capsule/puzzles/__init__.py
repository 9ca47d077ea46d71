"""Puzzles and the position of the day: shown, answered, remembered for those who sign in."""
