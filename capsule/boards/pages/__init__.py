"""The pages of boards, for anyone."""
