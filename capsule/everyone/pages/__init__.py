"""The pages of everyone's game."""
