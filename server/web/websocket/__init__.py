"""WebSockets by RFC 6455: the handshake, frames, and which sockets are open. Knows no game."""
