"""The interfaces of what each engine stores in its own way, by subject."""
