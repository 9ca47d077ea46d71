"""The database: its schema, its migrations, and transactions on it."""
