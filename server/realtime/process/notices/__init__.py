"""What travels between processes: how notices are written down, who follows which, and what is gathered before.

What a notice means is up to those who listen to the bus.
"""
