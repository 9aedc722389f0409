"""Large blocks go back to the system when they are freed, however many there were before."""

import platform
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

PROGRAM = """
import ctypes
from server.serving import return_freed_blocks

class Mallinfo2(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"
    )]

libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Mallinfo2
return_freed_blocks()
for _ in range(3):
    first = b"x" * 1_000_000
    del first
before = libc.mallinfo2().hblks
block = b"x" * 900_000
print(libc.mallinfo2().hblks - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc learns to keep what was freed")
def test_block_that_comes_after_larger_ones_is_mapped_by_itself():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"
