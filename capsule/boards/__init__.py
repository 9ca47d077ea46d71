"""A board whose whole state is its address, and what was played from it here."""
