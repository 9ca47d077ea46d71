"""Tests of `capsule.ratings`."""
