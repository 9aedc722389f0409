"""What travels between processes: how notices are written down, who follows which, and what is gathered before."""
