"""The processes of one site: the bus between them, over Redis or alone, and where people are.

Decides nothing about games.
"""
