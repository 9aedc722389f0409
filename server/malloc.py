"""How memory that was freed goes back to the system. Knows nothing of what was in it.

glibc learns from each large block that is freed that such blocks are common, and from then on keeps up to twice that
much for the next one. After some uploads of a megabyte the process stayed 60 MB larger for good.
"""

import ctypes
from contextlib import suppress
from typing import Final

M_TRIM_THRESHOLD: Final = -1
M_MMAP_THRESHOLD: Final = -3
"""glibc's numbers for `mallopt`."""
LARGE: Final = 131_072
"""Bytes: glibc's own values at the start. To set one by hand is what ends the learning."""


def return_freed_blocks() -> None:
    """Blocks of LARGE and more go back when they are freed. Does nothing where there is no glibc."""
    with suppress(AttributeError, OSError, TypeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(M_MMAP_THRESHOLD, LARGE)
        libc.mallopt(M_TRIM_THRESHOLD, LARGE)
