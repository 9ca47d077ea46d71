"""Tests of `capsule.mail`."""
