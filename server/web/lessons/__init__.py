"""Lessons on the rules pages: what they show, and how a reader's moves are answered.

What solves a task is decided in `server.rules.lesson`.
"""
