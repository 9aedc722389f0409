"""The signed addresses that people write to: for one seat in one turn, and for one person.

Reads no mail. A token proves who may write there, not that what they write is allowed.
"""
