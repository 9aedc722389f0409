"""Tournaments as values: what they are, how they are played (`formats`), who meets whom (`matching`)."""
