"""Studies: their pages, and what their scripts ask for."""
