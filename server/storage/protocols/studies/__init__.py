"""What the stores have to offer for studies."""
