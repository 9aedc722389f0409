"""What has to do with mail, in MongoDB: what is to be sent now, and what is told later.

Writes and sends no mail: `server.mail` does.
"""
