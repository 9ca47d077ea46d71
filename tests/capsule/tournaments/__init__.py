"""Tests of `capsule.tournaments`."""
