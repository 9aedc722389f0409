"""Programs of other people's that play on the site, driven by tests."""
