"""What the host sees of a running site: the log and the metrics."""
