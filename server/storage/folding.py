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


def keys_of(name: str) -> tuple[str, str]:
    """Where the account of that name may be kept: first as an earlier release did if two are alike now."""
    return name.lower().translate(ALIKE_BEFORE), fold(name)
