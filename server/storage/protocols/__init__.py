"""The interfaces of a store, by subject."""
