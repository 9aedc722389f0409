"""Puzzles in the SQLite file. Judges no move and rates nobody: `games.puzzles` does."""
