"""Tests of Oxonaut."""

import os
import sys

# Reading the house's modules and rewriting the assertions in its tests takes a process fifteen
# seconds where it keeps no bytecode, as containers often ask for: every worker, server and program
# that a test starts would do it again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
