"""Who is on the site, and whom its readers follow, as far as each of them may know. Knows no request."""
