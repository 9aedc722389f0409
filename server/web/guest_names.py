"""Names for guests: short, friendly, easy to say aloud. Knows nobody."""

import secrets

# fmt: off
MANNERS = (
    "Amber", "Bold", "Brave", "Bright", "Brisk", "Calm", "Clever", "Cosy", "Eager", "Early", "Gentle", "Glad",
    "Golden", "Happy", "Hasty", "Jolly", "Keen", "Kind", "Lively", "Lucky", "Mellow", "Merry", "Misty", "Nimble",
    "Noble", "Patient", "Plucky", "Polite", "Proud", "Quick", "Quiet", "Royal", "Rusty", "Sleepy", "Sly", "Snowy",
    "Steady", "Sunny", "Swift", "Witty",
)
ANIMALS = (
    "Badger", "Bear", "Beaver", "Bison", "Camel", "Crane", "Crow", "Deer", "Eagle", "Falcon", "Ferret", "Finch",
    "Fox", "Gecko", "Giraffe", "Goose", "Hare", "Hawk", "Heron", "Horse", "Lark", "Lion", "Lynx", "Magpie", "Mole",
    "Moose", "Newt", "Otter", "Owl", "Panda", "Raven", "Robin", "Seal", "Shrew", "Stork", "Swan", "Tiger", "Toad",
    "Weasel", "Wren",
)
# fmt: on


def guest_name() -> str:
    """A random name such as QuietHeron27, one of some 140,000. Two guests may share one; ids tell people apart."""
    return f"{secrets.choice(MANNERS)}{secrets.choice(ANIMALS)}{10 + secrets.randbelow(90)}"
