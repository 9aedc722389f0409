"""Positions and their legal moves. Notation is elsewhere, but for the letters of pieces."""
