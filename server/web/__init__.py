"""What browsers and programs talk to: URLs, sessions, pages, sockets. Only this package and app know aiohttp."""
