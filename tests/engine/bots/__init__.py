"""Tests of the players: what they claim, and what they never do."""
