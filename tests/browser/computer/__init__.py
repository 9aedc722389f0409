"""Correspondence games in the browser, and what only they have."""
