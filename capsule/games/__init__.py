"""Games: how they are created, played, ended, listed and told of."""
