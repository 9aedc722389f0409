"""What has to do with mail, in the SQLite file: addresses, what is to be sent, and how people want to be told."""
