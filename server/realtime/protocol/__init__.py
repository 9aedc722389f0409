"""What goes over the lines: every message, its text, and what waits to be sent. Decides nothing."""
