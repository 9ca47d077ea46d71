"""Whether the clock of the system can be trusted with deadlines."""
