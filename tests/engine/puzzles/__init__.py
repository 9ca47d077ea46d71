"""Tests of the puzzles: what is claimed of a position is so."""
