"""Monitoring: the overview for the operator, and the metrics."""
