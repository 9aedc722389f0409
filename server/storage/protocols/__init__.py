"""What the server asks of a store, subject by subject. Knows no engine."""
