"""The page of the news, and their feed."""
