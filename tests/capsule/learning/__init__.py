"""Tests of what a newcomer learns a game from."""
