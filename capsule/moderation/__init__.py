"""Moderation: reports, what the operator does about them, and the notices to players."""
