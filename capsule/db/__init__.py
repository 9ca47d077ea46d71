"""The database: its schema, its migrations and its transactions."""
