"""What a round knows of its players beyond the game: their ratings, whether they are new, how they flag.

Changes no game.
"""
