"""What the host does with a site from the command line, beside the running server or without one."""
