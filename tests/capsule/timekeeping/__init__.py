"""Tests of the timekeeper."""
