"""Reports, and what the operator does about them."""
