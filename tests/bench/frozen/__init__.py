"""The master of ultimate and extreme as it was in November 2026, to measure later ones against.

Name it in the arena as `tests.bench.frozen.bot:FrozenMaster`. Its code and weights stay as they
are: what it plays is what makes figures of different days comparable.
"""
