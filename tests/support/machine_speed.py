"""What computing costs, told so that a slow or busy machine gives the same figure: beside a fixed piece of Python."""

from time import thread_time

ROUNDS = 180
UNITS = 4
"""The fixed piece is timed as so many units: a single one would be too short to be timed well."""


def _compute():
    """Some of everything that our readers of texts do."""
    counts, words = {}, ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5")
    for number in range(UNITS * ROUNDS):
        for word in words:
            counts[word, number % 7] = counts.get((word, number % 7), 0) + len(word.strip("+#"))
    return "".join(sorted(f"{word}{count}" for (word, _), count in counts.items()))


def in_units(cpu_s):
    """CPU seconds of this thread as a number of units; one takes about a millisecond on a quiet desktop of 2020."""
    began = thread_time()
    _compute()
    return cpu_s * UNITS / (thread_time() - began)


def costs_at_most(cpu_s, units):
    """Whether it does. What takes so few milliseconds on any machine is not compared: that would cost more."""
    return cpu_s * 1000 <= units or in_units(cpu_s) <= units
