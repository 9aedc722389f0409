"""What whoever runs the site sees of it: the log, the metrics."""
