"""What a variant is, as data, and how its file is read. Knows no position."""
