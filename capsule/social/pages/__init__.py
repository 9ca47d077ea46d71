"""The pages of messages, notes, mutes and blocks."""
