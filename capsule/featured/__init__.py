"""The game of the week: picked by the operator, or chosen by its turning points."""
