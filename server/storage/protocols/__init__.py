"""The interfaces of what each engine stores in its own way, by subject, with the values that they take and give.

Knows no engine. What is a table of flat records for every engine is in `storage.tables`.
"""
