"""Tests of `capsule.ui`."""
