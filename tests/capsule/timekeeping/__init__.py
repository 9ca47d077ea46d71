"""Tests of the clock that is compared with the machine's running time."""
