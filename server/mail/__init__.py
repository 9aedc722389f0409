"""Mail: writing it, keeping it until the mail server has taken it, and the tokens of its links."""
