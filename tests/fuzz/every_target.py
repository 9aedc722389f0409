"""All fuzz targets, by name."""

from tests.fuzz.mails import MAILS
from tests.fuzz.messages import MESSAGES
from tests.fuzz.notations import NOTATIONS
from tests.fuzz.target import Target
from tests.fuzz.variant_files import VARIANT_FILES

TARGETS: dict[str, Target] = {target.name: target for target in (*NOTATIONS, *VARIANT_FILES, *MESSAGES, *MAILS)}
