"""The pages for everybody."""
