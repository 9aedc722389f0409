"""What browsers and programs talk to: URLs, sessions, pages, sockets.

Of the server only this package and app know aiohttp.
"""
