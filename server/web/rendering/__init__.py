"""How an answer is made: JSON, templates, pages kept in memory, and what went wrong."""
