"""The interface for programs: games as JSON, beside the pages and by the same rules."""
