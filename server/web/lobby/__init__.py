"""How two people come to a game: seeks, challenges, links as QR codes.

Who is paired with whom is decided in `realtime.lobby`.
"""
