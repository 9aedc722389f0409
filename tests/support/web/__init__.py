"""A whole site, in this process or in its own, and people who visit it by HTTP and by socket."""
