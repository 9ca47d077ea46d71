"""Tests of the monthly cups."""
