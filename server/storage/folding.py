"""By what form two names are compared, and an account is found. Pure; knows nobody.

Case, hyphens and underscores make no difference, and neither does what many fonts draw alike: 0 and o; 1, l and i;
5 and s; rn and m; vv and w; cl and d. Earlier releases told more names apart, so there may be two accounts whose names
are alike now; each is found by the name as it is spelt.
"""

ALIKE = str.maketrans("015i", "olsl", "-_")
PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))
"""Two letters that together look like one."""
ALIKE_BEFORE = str.maketrans("01i", "oll")


def fold(name: str) -> str:
    """The form by which names are compared. Names with the same form are the same name."""
    folded = name.lower().translate(ALIKE)
    for pair, letter in PAIRS:
        folded = folded.replace(pair, letter)
    return folded


def account_keys(name: str) -> tuple[str, str]:
    """Where the account of that name may be kept: first as an earlier release did if two are alike now."""
    return name.lower().translate(ALIKE_BEFORE), fold(name)


def folded_prefixes(beginning: str) -> tuple[str, ...]:
    """The folded form of every name with that beginning starts with one of these, and so may those of other names.

    The last letter may be the first of two that look like one: "Arn" begins with "Ar" and is folded to "am".
    """
    folded = fold(beginning)
    return (folded, *(folded[:-1] + letter for pair, letter in PAIRS if folded.endswith(pair[0])))


def has_prefix(name: str, beginning: str) -> bool:
    """Does the name begin so, or with something that looks like it?"""
    spelt, wanted = (one.lower().translate(ALIKE) for one in (name, beginning))
    return spelt.startswith(wanted) or fold(name).startswith(fold(beginning))
