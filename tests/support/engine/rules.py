"""Asks the rules of the client's engine, which run in Node, the questions that the judge of the server answers."""

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from server.rules.variant.rule_data import rule_data
from server.rules.variant.variant import Variant

PROGRAM = Path(__file__).parent / "answer.mjs"


class EngineRules:
    """A running process that knows `variants`. To be closed by `with`."""

    def __init__(self, variants: Iterable[Variant]) -> None:
        self._process = subprocess.Popen(
            ["node", str(PROGRAM)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._say([rule_data(variant) for variant in variants])

    def __enter__(self) -> "EngineRules":
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()

    def ask(self, **question: Any) -> Any:
        """The answer to one question."""
        assert self._process.stdout
        self._say(question)
        return json.loads(self._process.stdout.readline())

    def _say(self, value: Any) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(value) + "\n")
        self._process.stdin.flush()
