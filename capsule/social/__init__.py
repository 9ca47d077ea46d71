"""Players and each other: messages, notes, mutes and blocks."""
