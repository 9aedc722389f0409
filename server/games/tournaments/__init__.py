"""Tournaments as values: what they are (`tournament`), how they are played (`arena`), who meets whom (`matching`)."""
