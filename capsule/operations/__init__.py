"""What the operator wants to know of a capsule: how much there is, and how it goes."""
