"""Mail on its way out: how it is written, and how it gets to a mail server."""
