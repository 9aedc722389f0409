"""Games from elsewhere, sent to the site as a program sends them."""

import json

PGN = {"Content-Type": "application/vnd.chess-pgn"}


async def send(person, text, status=200, **headers):
    async with person.http.post("/api/import", data=text, headers={**PGN, **headers}) as answer:
        body = await answer.text()
        assert answer.status == status, body
        return json.loads(body)


GAME = '[White "{white}"]\n[Black "{black}"]\n[Date "2020.01.{day:02}"]\n\n1. e4 e5 {result}\n'


async def fill(person, count=3, white="Ann", black="Bo", result="1-0"):
    text = "\n".join(GAME.format(white=white, black=black, day=day, result=result) for day in range(1, count + 1))
    return (await send(person, text))["games"]
