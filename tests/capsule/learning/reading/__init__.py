"""Tests of what there is to read about the games."""
