"""What passes between two players besides moves: messages, notes, mutes and blocks."""
