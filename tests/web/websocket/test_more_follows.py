"""A text behind which more follows at once waits for it, and both are written as one."""

from server.web.websocket.frames import close_frame, text_frame
from tests.web.websocket.held_socket import step


async def test_what_more_follows_goes_out_in_one_write_and_in_order(held):
    held.socket.put("ok", more=True)
    held.socket.put("moved")
    assert held.written == [text_frame("ok") + text_frame("moved")]
    await step()
    assert len(held.written) == 1


async def test_what_more_was_to_follow_goes_out_alone_when_nothing_does(held):
    held.socket.put("ok", more=True)
    assert held.written == []
    await step()
    assert held.written == [text_frame("ok")]


async def test_nothing_overtakes_what_more_follows(held):
    held.socket.put("ok", more=True)
    held.socket.put("moved", in_turn=True)
    held.socket.put("farewell", more=True)
    held.socket.close(1000)
    await step()
    assert b"".join(held.written) == b"".join(
        (text_frame("ok"), text_frame("moved"), text_frame("farewell"), close_frame(1000))
    )


async def test_what_more_follows_is_not_written_to_a_connection_that_is_gone(held):
    held.socket.put("ok", more=True)
    held.wire.closed = True
    await step()
    assert held.written == []
