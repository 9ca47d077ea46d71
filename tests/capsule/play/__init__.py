"""Tests of `capsule.play`."""
