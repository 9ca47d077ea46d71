"""Bots that know the value of positions."""
