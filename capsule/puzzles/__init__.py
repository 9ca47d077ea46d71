"""Puzzles and the position of the day: shown, answered, and stored for players."""
