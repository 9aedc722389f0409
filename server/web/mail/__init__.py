"""The parts of a site with mail, put together: what is sent, and what is taken."""
