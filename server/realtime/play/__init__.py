"""Live games, and the people who play or watch them.

What a command does is decided in `games`; what a message looks like is said in `realtime.protocol`.
"""
