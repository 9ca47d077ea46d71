"""Tests of the pages to read about the games."""
