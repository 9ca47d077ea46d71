"""Tests of `capsule.featured`."""
