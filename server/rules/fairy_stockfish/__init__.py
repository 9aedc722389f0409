"""A variant as Fairy-Stockfish reads it: a section of its variants.ini, made of the variant's data."""
