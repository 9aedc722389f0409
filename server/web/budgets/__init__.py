"""What a request may cost: limits, token buckets, and whom to charge. Reads no body."""
