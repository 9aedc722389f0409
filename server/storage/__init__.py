"""What the site stores, how it is written down, and the engines that store it."""
