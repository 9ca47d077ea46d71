"""The monthly cups: entry, groups, finals and winners."""
