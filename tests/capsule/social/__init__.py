"""Tests of `capsule.social`."""
