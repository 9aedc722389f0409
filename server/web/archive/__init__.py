"""Games that are over: found by a search, taken in from files."""
