"""What people are told while they are away, and what the host tells everybody, in MongoDB."""
