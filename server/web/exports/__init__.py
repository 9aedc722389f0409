"""Games as everybody may read them: JSON, PGN, score sheets. Plays none."""
