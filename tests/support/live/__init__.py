"""The whole server under load, from outside: real processes, real sockets, a bare relay beside it as the control."""
