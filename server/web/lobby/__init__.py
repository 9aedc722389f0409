"""How two people come to a game: seeks, challenges, links as QR codes."""
