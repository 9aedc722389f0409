"""Where games and people are kept. Knows no sockets and no pages."""
