"""Puzzles in MongoDB. Judges no move and rates nobody: `games.puzzles` does."""
