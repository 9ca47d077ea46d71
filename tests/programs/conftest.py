"""What is not a test here."""

collect_ignore = ["plain.py"]
"""The program runs on its own, as somebody else's would."""
