"""What a round knows of its players beyond the game: their ratings, whether they are new, what they wish."""
