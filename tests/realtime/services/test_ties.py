"""Blocks that a failing store took, or not: they hold as they are stored, without a restart."""

import pytest

from server.games.people import TieKind
from server.storage.errors import Unavailable
from tests.support.realtime.node import BLACK, WHITE


@pytest.mark.parametrize("lost", ["the answer to the block", "what is stored after it", "what is read after it"])
async def test_a_block_and_its_end_hold_though_the_store_failed_in_between(node, store, monkeypatch, lost):
    ties, blocks = node.live.ties, node.live.services.blocks
    assert node.live.services.alone

    async def failing(change):
        with monkeypatch.context() as patch:
            if lost == "the answer to the block":
                patch.setattr(store.ties, "keep", losing_the_answer_of(store.ties.keep))
                patch.setattr(store.ties, "remove", losing_the_answer_of(store.ties.remove))
            else:
                patch.setattr(store.ties, "remove" if "stored" in lost else "blocks", nobody_answers)
            with pytest.raises(Unavailable):
                await change()

    async def nobody_answers(*_):
        raise Unavailable("The store is down.")

    def losing_the_answer_of(write):
        async def done(*arguments):
            await write(*arguments)
            raise Unavailable("The answer was lost.")

        return done

    await failing(lambda: ties.make_tie(WHITE.id, TieKind.BLOCKS, BLACK))
    await ties.catch_up()
    assert await store.ties.are_apart(WHITE.id, BLACK.id)
    assert blocks.are_apart(WHITE.id, BLACK.id)
    await failing(lambda: ties.end_tie(WHITE.id, TieKind.BLOCKS, BLACK.id))
    await ties.catch_up()
    assert blocks.are_apart(WHITE.id, BLACK.id) == await store.ties.are_apart(WHITE.id, BLACK.id)
