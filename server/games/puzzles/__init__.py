"""Puzzles: what they are, how they are found in games, how moves in them are judged, and what they make of ratings.

Runs no engine: what one thinks is an argument.
"""
