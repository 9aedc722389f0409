"""What people in the lobby look for, and which seek suits which.

Who is in the lobby, and who is paired when, is the affair of `realtime.lobby`.
"""
