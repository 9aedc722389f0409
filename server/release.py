"""Which release this is. The number stands in pyproject.toml only; an installed package has it in its metadata."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version


@cache
def release() -> str:
    """The version of the installed package, such as 1.0.0; "unknown" in a checkout that was not installed."""
    try:
        return version("fairyhouse")
    except PackageNotFoundError:
        return "unknown"
