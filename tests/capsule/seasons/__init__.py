"""Tests of the season: its points, its table, and what happens by the date."""
