"""The folded form of names, by which they are compared and accounts are found.

It ignores case, hyphens and underscores, and differences that many fonts hide: 0 and o; 1, l and i; 5 and s; rn and m;
vv and w; cl and d. Earlier releases told more names apart, so two accounts may have names that are alike now; each is
found by its exact spelling.
"""

ALIKE = str.maketrans("015i", "olsl", "-_")
PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))
"""Two letters that together look like one."""
ALIKE_BEFORE = str.maketrans("01i", "oll")


def fold(name: str) -> str:
    """The folded form of a name. Names with the same form count as the same."""
    folded = name.lower().translate(ALIKE)
    for pair, letter in PAIRS:
        folded = folded.replace(pair, letter)
    return folded


def account_keys(name: str) -> tuple[str, str]:
    """The keys under which the account may be stored: that of earlier releases, then that of this one."""
    return name.lower().translate(ALIKE_BEFORE), fold(name)


def folded_prefixes(beginning: str) -> tuple[str, ...]:
    """The folded form of every name with that beginning starts with one of these, and so may those of other names.

    The last letter may be the first of two that look like one: "Arn" begins with "Ar" and is folded to "am".
    """
    folded = fold(beginning)
    return (folded, *(folded[:-1] + letter for pair, letter in PAIRS if folded.endswith(pair[0])))


def has_prefix(name: str, beginning: str) -> bool:
    """Does the name begin with `beginning`, or something that looks like it?"""
    spelt, wanted = (one.lower().translate(ALIKE) for one in (name, beginning))
    return spelt.startswith(wanted) or fold(name).startswith(fold(beginning))
