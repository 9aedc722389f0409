"""Asks PyPI and npm for known holes in what is locked, and fails if there is one.

    python -m tests.delivery.audit

A mirror of the registries, or no network, cannot answer that: then it says loudly that nobody has looked, and does not
fail, as nothing is known to be wrong.
"""

import json
import subprocess
import sys
from typing import Any

SECONDS = 120
PYTHON = (
    *(sys.executable, "-m", "pip_audit", "--requirement", "requirements.lock", "--no-deps", "--disable-pip"),
    *("--strict", "--format", "json", "--progress-spinner", "off"),
)
NPM = ("npm", "audit", "--json")


def asked(command: tuple[str, ...]) -> dict[str, Any]:
    """What the program answers on its standard output; empty when that is no report."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
        answer = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return {}
    return answer if isinstance(answer, dict) else {}


def holes_in_python(report: dict[str, Any]) -> list[str] | None:
    """A line for each known hole; None: the report is none."""
    if "dependencies" not in report:
        return None
    return [
        f"{package['name']} {package['version']}: {hole['id']}, mended in {' '.join(hole['fix_versions']) or 'none'}"
        for package in report["dependencies"]
        for hole in package.get("vulns", ())
    ]


def holes_in_npm(report: dict[str, Any]) -> list[str] | None:
    """As above."""
    if "auditReportVersion" not in report:
        return None
    return [f"{name} {hole['range']}: {hole['severity']}" for name, hole in report.get("vulnerabilities", {}).items()]


def main() -> int:
    found: list[str] = []
    for registry, holes in (("PyPI", holes_in_python(asked(PYTHON))), ("npm", holes_in_npm(asked(NPM)))):
        if holes is None:
            print(f"NOT AUDITED: {registry} gave no answer about known holes in what is locked.", file=sys.stderr)
        else:
            found += holes
    for hole in found:
        print(f"KNOWN HOLE: {hole}. Mend it with `make lock`, or in package.json.", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
