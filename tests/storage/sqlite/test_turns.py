"""In which order the file's thread reads and writes."""

from server.storage.sqlite.turns import Turns


def taken(turns):
    return list(iter(turns.take, None))


def test_writes_go_before_reads_that_wait():
    turns = Turns()
    for nth in range(3):
        turns.add_read(f"read {nth}")
    turns.add_write("write")
    assert taken(turns) == ["write", "read 0", "read 1", "read 2"]


def test_one_read_passes_after_each_write_however_many_writes_wait():
    turns = Turns()
    for nth in range(2):
        turns.add_read(f"read {nth}")
    for _ in range(4):
        turns.add_write("write")
    assert taken(turns) == ["write", "read 0", "write", "read 1", "write", "write"]


def test_reads_that_come_alone_are_done_in_their_order_and_delay_no_write():
    turns = Turns()
    for nth in range(3):
        turns.add_read(f"read {nth}")
    assert turns.take() == "read 0"
    turns.add_write("write")
    assert taken(turns) == ["write", "read 1", "read 2"]


def test_what_is_not_there_is_not_waited_for():
    assert Turns().take() is None
