"""Starting and playing games: the pages and actions of players who have signed in."""
