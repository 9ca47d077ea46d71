"""Games against the novice bot without a certificate, whose whole state is their address."""
