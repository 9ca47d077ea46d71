"""Tests of `capsule.everyone`."""
