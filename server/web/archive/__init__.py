"""Finished games: search and import.

How a PGN becomes a game is decided in `games.intake`; one game as JSON or PGN is in `web.exports`.
"""
