"""Mail as people meet it: their addresses, new passwords, turns in correspondence games."""
