"""Tests of `capsule.cli`."""
