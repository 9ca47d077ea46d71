"""The commands of `oxonaut`, one module for each."""
