"""What the host sees of a running site: the log and the metrics; and carrying out the host's commands on it.

Shows nobody else anything: no page is made here.
"""
