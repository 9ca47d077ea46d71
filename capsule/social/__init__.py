"""Relations between players: messages, notes, mutes and blocks."""
