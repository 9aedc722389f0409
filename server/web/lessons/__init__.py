"""Lessons on the rules pages: what they show, and how a reader's moves are answered."""
