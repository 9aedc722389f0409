"""The game as a value, its clock, commands and events, and what people agree on before it. Pure: no I/O, no waiting."""
