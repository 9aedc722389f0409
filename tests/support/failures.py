"""One test for many cases of one kind: files, words, routes. All that are wrong are shown together."""


def failures(check, cases):
    """What `check(*case)` raised, by name; {} if it raised nothing. `cases`: tuples of arguments, by name."""
    wrong = {}
    for name, case in cases.items():
        try:
            check(*case)
        except Exception as error:
            wrong[name] = f"{type(error).__name__}: {error}"
    return wrong
