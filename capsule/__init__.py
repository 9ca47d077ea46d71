"""The Gemini capsule: pages, players and games around the rules engine."""
