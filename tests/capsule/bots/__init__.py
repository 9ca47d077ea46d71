"""Tests of `capsule.bots`."""
