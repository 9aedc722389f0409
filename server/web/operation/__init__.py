"""What keeps a running site in order, and what the host sees of it: housekeeping, commands, log, metrics, health.

Shows visitors nothing: no page is made here.
"""
