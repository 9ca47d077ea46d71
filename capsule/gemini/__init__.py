"""The Gemini protocol: a server that receives requests and sends responses."""
