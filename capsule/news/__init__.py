"""News: short announcements by the operator, with a page and a feed."""
