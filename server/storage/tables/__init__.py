"""What is kept in tables of flat records and asked for by a few of their fields: written once, for every engine.

Knows no engine; what needs a query of its own is in `storage.protocols`.
"""
