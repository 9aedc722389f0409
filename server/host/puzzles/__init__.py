"""`fairyhouse puzzles`: makes puzzles from the site's games, lists and removes them."""
