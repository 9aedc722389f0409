"""What a request passes before any handler: reading its head, limiting its size, waiting its turn. Knows no page."""
