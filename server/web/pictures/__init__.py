"""Pictures of boards and games at addresses of their own: who may ask for what, how often, and how long it is kept.

What a picture looks like is the affair of server.pictures.
"""
