"""The door for programs: the capsule's games as JSON, beside the pages and by the same rules."""
