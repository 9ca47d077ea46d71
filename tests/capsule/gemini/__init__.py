"""Tests of `capsule.gemini`."""
