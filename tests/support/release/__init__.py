"""The files of releases in `tests/data/releases/`: how they are read, and how they are written."""
