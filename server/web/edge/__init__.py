"""What comes on a connection before a handler decides: heads of requests, their size, their turn. Knows no page."""
