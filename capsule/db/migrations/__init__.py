"""How the tables came to be what they are, one step a file; Alembic runs them at start."""
