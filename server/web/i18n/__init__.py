"""Everything people read, in each language."""
