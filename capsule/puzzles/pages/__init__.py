"""The pages of puzzles, for anyone and, below `/play/`, for holders of a certificate."""
