"""That Fairy-Stockfish plays our variants by our rules."""
