"""Notifies people who are away, by web push and by mail, of what the domain events say.

Sends no mail itself: it goes into the store's outbox, which `server.mail` empties.
"""
