"""The wire: requests come in by the Gemini protocol, responses go out."""
