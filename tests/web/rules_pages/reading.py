"""Rules pages as a browser asks for them, in every language."""

from server.language import FOLDER

LANGUAGES = sorted(path.name for path in FOLDER.iterdir() if (path / "rules").is_dir())


async def read(person, path, language="en"):
    async with person.http.get(path, headers={"Accept-Language": language}) as answer:
        assert answer.status == 200, path
        return await answer.text()
