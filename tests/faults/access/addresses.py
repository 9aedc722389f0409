"""Every address of the site as a browser would ask for it, from the application's own table of routes."""

import re

KNOWN = {
    "variant": "chess",
    "name": "Anna",
    "accent": "7a1f3d",
    "size": "192",
    "seek": "0123456789",
    "alert": "0123456789",
    "change": "follow",
    "lesson": "chess",
    "step": "step-1",
    "puzzle": "0123456789",
    "uci": "e2e4",
    "answer": "yes",
    "study": "A" * 22,
    "tournament": "A" * 10,
    "chapter": "0123456789",
    "filename": "manifest.json",
    "page": "backup",
    "code": "23456789AB",
}
READING = ("GET", "HEAD")
LINES = ("/ws", "/ws/lobby", "/ws/watch", "/ws/study", "/ws/tournament", "/ws/embed")


def addresses(server, *methods, **known):
    """Pairs of method and path for each route with one of the methods (none given: with any but GET and HEAD).

    `known` says what stands in for a part of a path, such as `game`. Sockets are left out.
    """
    values = {"game": "0123456789", **KNOWN, **known}
    wanted = []
    for route in server.app.router.routes():
        path = re.sub(r"\{(\w+)\}", lambda part: values[part[1]], route.resource.canonical)
        if path not in LINES and (route.method in methods if methods else route.method not in READING):
            wanted.append((route.method, path))
    return wanted
