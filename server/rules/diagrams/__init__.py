"""Diagrams that explain the rules, as values: a position with marked squares, each mark proved by legal moves."""
