"""A mail server of the tests' own, and what people find in their mailboxes."""
