"""Tests of `capsule.puzzles`."""
