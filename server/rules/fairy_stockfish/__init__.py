"""A variant as Fairy-Stockfish reads it: a section of its variants.ini, made of the variant's data.

Runs no engine, and knows no position.
"""
