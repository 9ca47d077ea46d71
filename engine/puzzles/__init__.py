"""Puzzles: positions with one right way on, each proven."""
