"""Live play: rounds, the lobby, TV, presence, timers. Uses asyncio, but not aiohttp."""
