"""How an answer is made: JSON, templates, cached pages, and problems. Knows no page."""
