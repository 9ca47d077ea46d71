"""Luck that is another in each run of the tests, and can be had again."""

import os
from random import Random
from time import time_ns

VARIABLE = "OXONAUT_TEST_SEED"
"""The variable of the environment that names the seed of an earlier run."""


def fresh_luck() -> Random:
    """Return luck that no run has had before; pytest shows its printed seed if the test fails.

    To have the same again, name the seed in `OXONAUT_TEST_SEED`.
    """
    seed = int(os.environ.get(VARIABLE, time_ns()))
    print(f"{VARIABLE}={seed}")
    return Random(seed)
