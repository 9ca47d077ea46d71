"""Facts about the games that can be counted: their computation and their results."""
