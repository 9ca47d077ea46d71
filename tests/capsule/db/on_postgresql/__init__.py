"""Capsules on PostgreSQL, whose server may go away, fall silent or be busy."""
