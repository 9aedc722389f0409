"""Games that are over or stored, as everybody may read them. Plays none."""
