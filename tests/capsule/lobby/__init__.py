"""Tests of `capsule.lobby`."""
