"""The time, and whether deadlines may be judged by it."""
