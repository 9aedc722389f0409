"""The MongoDB engine, for one server or several. Only this package may import motor and pymongo."""
