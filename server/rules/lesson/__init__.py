"""Lessons: small tasks on the board, whose answers the rules judge."""
