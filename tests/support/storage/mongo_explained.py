"""What the database itself says of a question that an index should answer: does it go by one?

What it then says of the documents that it read is no evidence: SecantusDB gives the number of those that it returned.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from tests.support.storage.mongo_plans import EXCUSED, Question, answered

UNLIKE_MONGODB = {
    r": .*\b_id[=<]|: by _id": "the index of `_id` is used, but explained as if all were read",
    r"^find archive: .* by by_": "an index is explained only if it has every field",
    r"^find accounts: .*(user|alike)=": "an index is explained only if it has every field",
    r"^find (chat: game= number<|puzzles: .* rating<) ": "no index is explained for a range behind other fields",
}
"""Part of a question, and why SecantusDB explains it otherwise than MongoDB would."""


class Explained:
    """Of one database, which may be dropped and filled between any two questions. Each is explained once.

    `exceptions`: parts of the questions that its server explains otherwise.
    """

    def __init__(self, database: Any, exceptions: Iterable[str]) -> None:
        self._database = database
        self._exceptions = tuple(exceptions)
        self._known: set[Question] = set()

    def scans(self, asked: Iterable[tuple[Question, Mapping[str, Any]]]) -> list[str]:
        """Every question, of those that an index should answer, for which all of a collection would be read."""
        new = [(question, wanted) for question, wanted in asked if question not in self._known]
        self._known.update(question for question, _ in new)
        return [
            f"{question} (explained)"
            for question, wanted in new
            if self._is_expected(question) and "COLLSCAN" in self._stages(question, wanted)
        ]

    def _is_expected(self, question: Question) -> bool:
        passed_over = (*EXCUSED, *self._exceptions)
        return (
            bool(question.fields)
            and answered(question)
            and not any(re.search(part, str(question)) for part in passed_over)
        )

    def _stages(self, question: Question, wanted: Mapping[str, Any]) -> list[str]:
        asked = {"find": question.collection, "filter": wanted, "sort": dict(question.sort), "limit": question.limited}
        told = self._database.command({"explain": asked, "verbosity": "queryPlanner"})
        return list(stages_of(told["queryPlanner"]["winningPlan"]))


def stages_of(plan: Mapping[str, Any]) -> Iterable[str]:
    """The names of all stages of a plan, the last one first."""
    yield plan["stage"]
    for inner in (*plan.get("inputStages", ()), *([plan["inputStage"]] if "inputStage" in plan else ())):
        yield from stages_of(inner)
