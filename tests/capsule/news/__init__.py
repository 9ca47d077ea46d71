"""Tests of `capsule.news`."""
