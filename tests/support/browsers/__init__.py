"""Gemini browsers in terminals, driven as people drive them."""
