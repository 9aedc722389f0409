"""GET /{id}.txt: any game as everybody may see it, in letters."""

import re

import pytest

from tests.support.rules.built_in import VARIANTS


async def text_of(person, game, language="en", status=200):
    async with person.http.get(f"/{game}.txt", headers={"Accept-Language": language}) as answer:
        assert answer.status == status
        assert status != 200 or answer.headers["Content-Type"] == "text/plain; charset=utf-8"
        return await answer.text()


@pytest.mark.parametrize("variant", VARIANTS)
async def test_a_game_of_every_variant_has_a_text_board(anna, variant):
    game = await anna.challenge(variant=variant)
    text = await text_of(anna, game["id"])
    assert "is waiting for an opponent" in text
    assert re.search(r"White \(\w+\)", text)
    assert "Clocks: White 5:00, Black 5:00" in text
    assert "White to move." in text
    ranks = VARIANTS[variant].ranks
    assert all(f"| {rank:>2}\n" in text for rank in range(1, ranks + 1))
    assert ("White's pocket" in text) == (
        "[" in VARIANTS[variant].start_fen and "[]" not in VARIANTS[variant].start_fen
    )
    assert ("wins at once" in text) == (VARIANTS[variant].endings.goal is not None)


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Clocks: White 10 days, Black 10 days"), ("es", "Relojes: blancas 10 días, negras 10 días")],
)
async def test_clocks_that_count_in_days_say_so(anna, language, said):
    game = await anna.challenge(clock={"kind": "bank", "initial": 10, "increment": 1, "cap": 30})
    assert said in await text_of(anna, game["id"], language)


async def test_moves_and_pockets_are_told(anna, ben):
    game = await anna.challenge(variant="crazyhouse")
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        for ply, uci in enumerate(("e2e4", "d7d5", "e4d5")):
            await (black if ply % 2 else white).move(ply, uci)
    text = await text_of(anna, game["id"])
    assert "Moves: 1. e4 d5 2. exd5" in text
    assert "White's pocket: pawn" in text
    assert "Black to move." in text
    spanish = await text_of(anna, game["id"], "es")
    assert "Juegan las negras." in spanish
    assert "Mano de las blancas: peón" in spanish


async def test_a_game_that_does_not_exist_has_no_text(anna):
    await text_of(anna, "AAAAAAAAAA", status=404)
