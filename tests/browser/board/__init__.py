"""The board in a real browser: what is picked up, chosen, marked and dropped on it."""
