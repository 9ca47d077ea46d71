"""The commands of `oxonaut`."""
