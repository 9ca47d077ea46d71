"""Tests of `capsule.accounts`."""
