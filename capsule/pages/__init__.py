"""The pages: each reads the request, calls a use case and renders a template."""
