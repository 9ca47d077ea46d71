"""The pages of puzzles, for anyone and, below `/play/`, for those who have signed in."""
