"""Tests of `capsule.client`."""
