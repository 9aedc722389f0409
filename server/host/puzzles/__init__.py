"""`fairyhouse puzzles`: makes puzzles from the site's games, lists and removes them.

What counts as a puzzle is decided in `games.puzzles`.
"""
