"""Puzzles: their pages, what their scripts ask for, and what the host does about them.

What solves a puzzle is decided in `games.puzzles`.
"""
