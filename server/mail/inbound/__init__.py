"""Replies to the mails of the site: what arrives becomes a command of the seat it was written to."""
