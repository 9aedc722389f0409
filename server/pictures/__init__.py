"""Boards drawn by the server, without a browser: pictures as SVG text, PNG and GIF bytes.

Pure: positions and texts in, pictures out. Knows no request, no store and no file but the drawings of the pieces.
"""
