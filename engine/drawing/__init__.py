"""Boards drawn in plain text."""
