"""Players: their certificates, names, devices and settings."""
