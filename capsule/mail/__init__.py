"""E-mail for those who ask for it, where the operator has set up a relay."""
