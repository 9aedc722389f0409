"""Puzzles in MongoDB."""
