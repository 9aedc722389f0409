"""The wire protocol: every message, its encoding, and the queue of what is to be sent."""
