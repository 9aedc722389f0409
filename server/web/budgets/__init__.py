"""What a request may cost: limits, token buckets, whom they count by. Reads no body."""
