"""Servers in separate processes, and visitors who reach them over TLS."""
