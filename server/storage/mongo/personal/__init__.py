"""What people with an account keep in MongoDB for themselves."""
