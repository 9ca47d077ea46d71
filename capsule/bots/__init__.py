"""Bots in the capsule: their turns, hints and analyses, and the processes in which they think."""
