"""Tests of `capsule.moderation`."""
