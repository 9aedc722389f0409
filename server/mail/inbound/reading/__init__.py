"""Reads mails from people: what they have written themselves, and which commands that is. Knows no store."""
