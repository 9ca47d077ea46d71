"""Tests of `capsule.db`."""
