"""The face to browsers: URLs, sessions, pages, sockets. The only place, with app, that knows aiohttp."""
