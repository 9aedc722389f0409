"""Diagrams that explain the rules, as values: a position with marked squares, each mark proved by legal moves.

Draws none, and has no words for them: `server.pictures` and the pages do.
"""
