"""Tests of `capsule.boards`."""
