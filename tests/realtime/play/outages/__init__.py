"""Live play while the store does not answer, or what the processes tell each other is lost."""
