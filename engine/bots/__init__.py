"""The minds that play by the rules: one search technique a file, and one table of levels."""
