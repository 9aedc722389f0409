"""Lessons: small tasks on the board, whose answers the rules judge. Knows nobody who learns."""
