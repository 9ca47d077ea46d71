"""Boards whose whole state is their address, and how often they were reached in games here."""
