"""Tests of `capsule.middleware`, without a capsule."""
