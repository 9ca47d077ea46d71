"""Round-robin tournaments."""
