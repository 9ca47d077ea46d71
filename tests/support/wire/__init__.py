"""Servers in processes of their own, and visitors who reach them over TLS."""
