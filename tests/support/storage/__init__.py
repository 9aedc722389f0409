"""Where stores are opened, what to put into them, and how to damage it."""
