"""What people in the lobby look for, and which seek suits which."""
