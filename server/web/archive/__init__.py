"""Finished games: search and import.

How a PGN becomes a game is decided in `games.importing`; one game as JSON or PGN is in `web.games`.
"""
