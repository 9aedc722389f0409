"""Live play, without sockets: connections and outboxes are driven by hand, and so is time."""
