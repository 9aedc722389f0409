"""What has to do with mail, in MongoDB: addresses, what is to be sent, and how people want to be told."""
