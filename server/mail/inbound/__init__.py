"""Replies to the mails of the site: what arrives becomes a command of the seat it was written to.

A command by mail goes through the same rounds as one of an open page; no rule is bent or added here.
"""
