"""Programs that learned what ships with the bots; they ran once, and can run again."""
