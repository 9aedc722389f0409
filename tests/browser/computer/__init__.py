"""Games against the computer in the browser."""
