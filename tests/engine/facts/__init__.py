"""Tests of what is counted: it is what any other way to count comes to."""
