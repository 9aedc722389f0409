"""Live play: rounds, channels, presence, timers. Knows asyncio, not aiohttp."""
