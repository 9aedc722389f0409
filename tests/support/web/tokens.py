"""What a personal token looks like."""

import re

TOKEN = re.compile(r"fh_[0-9A-Za-z]{43}(?![0-9A-Za-z_-])")
