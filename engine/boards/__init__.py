"""Boards that several variants share."""
