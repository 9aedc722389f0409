"""What people decide about one another, outside of any game."""
