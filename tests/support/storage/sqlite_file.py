"""What the tests ask the file of the embedded store itself."""


async def pragma(store, text):
    """What the store's own connection answers, asked on its own thread."""
    return await store._file.read(lambda connection: connection.execute(f"PRAGMA {text}").fetchone())
