"""Games: how they are created, played, ended, listed and announced in feeds."""
