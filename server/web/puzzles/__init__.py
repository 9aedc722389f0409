"""Puzzles: their pages, what their scripts ask for, and what the host does about them."""
