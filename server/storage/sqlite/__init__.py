"""The embedded engine: one SQLite file. Only this package may import sqlite3."""
