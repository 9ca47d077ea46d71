"""Tests of `capsule.tryout`."""
