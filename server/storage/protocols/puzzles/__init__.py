"""What stores say of puzzles: what was found, and who has solved what. Knows no engine."""
