"""Tables of opening moves that were worked out once, each beside the program that makes it."""
