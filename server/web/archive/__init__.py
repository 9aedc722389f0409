"""Finished games: search and import."""
