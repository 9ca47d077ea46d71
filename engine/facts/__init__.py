"""Facts about the games that can be counted, such as how many there are, and their computation."""
