"""Who aborts too much, and which results look farmed."""
