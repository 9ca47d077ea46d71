"""The migrations of the tables, one file for each; Alembic runs them when the capsule starts."""
