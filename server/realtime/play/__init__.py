"""One live game and those who play or watch it. Knows no lobby."""
