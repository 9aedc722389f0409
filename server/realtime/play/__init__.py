"""Live games, and the people who play or watch them."""
