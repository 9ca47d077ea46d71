"""Tests of `capsule.games`."""
