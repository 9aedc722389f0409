"""What people with an account keep in the SQLite file for themselves."""
