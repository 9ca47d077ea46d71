"""Lessons and reading: what a newcomer learns a game from, without a certificate."""
