"""Ratings, how games change them, and the ladders."""
