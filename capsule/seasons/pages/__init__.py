"""The pages of the seasons."""
