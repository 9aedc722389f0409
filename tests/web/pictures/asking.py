"""Pictures as a browser asks for them, of games that two people have played."""

from io import BytesIO

from PIL import Image

from tests.support.web.people import FOOLS_MATE


async def picture(person, path, status=200, **headers):
    """The answer's bytes and headers."""
    async with person.http.get(path, headers=headers) as answer:
        body = await answer.read()
        assert answer.status == status, body[:500]
        return body, answer.headers


async def played(anna, ben, ucis=FOOLS_MATE):
    """The id of a game of these two after these moves."""
    game = await anna.challenge(color="white")
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        for ply, uci in enumerate(ucis):
            answer = await (white, black)[ply % 2].move(ply, uci)
            assert answer["t"] != "error", answer
    return game["id"]


def image(body):
    return Image.open(BytesIO(body))
