"""Mail on its way out while the server, or the mail server, fails."""
