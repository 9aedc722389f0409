"""Mail: writing it, keeping it until the mail server has taken it, and the tokens of its links.

What there is to say of a game, and when, is decided in `web.notifications`.
"""
