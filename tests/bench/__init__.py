"""Tests of Oxonaut."""
