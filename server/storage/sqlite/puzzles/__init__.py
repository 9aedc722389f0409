"""Puzzles in the SQLite file."""
