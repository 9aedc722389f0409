"""What stores say of puzzles."""
