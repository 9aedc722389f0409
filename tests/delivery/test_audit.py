"""The reports of both registries are read for what they are: holes, no holes, or nobody looked."""

import sys

import pytest

from tests.delivery import audit

PYTHON_HOLE = {
    "dependencies": [
        {"name": "sound", "version": "1.0", "vulns": []},
        {"name": "leaky", "version": "2.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1"]}]},
        {"name": "odd", "skip_reason": "not found"},
    ]
}
NPM_HOLE = {"auditReportVersion": 2, "vulnerabilities": {"leaky": {"range": "<2.1", "severity": "high"}}}


@pytest.mark.parametrize(
    ("python", "npm", "code", "said"),
    [
        ({"dependencies": []}, {"auditReportVersion": 2, "vulnerabilities": {}}, 0, ""),
        (PYTHON_HOLE, {}, 1, "leaky 2.0: PYSEC-1, mended in 2.1"),
        ({}, NPM_HOLE, 1, "leaky <2.1: high"),
        ({}, {"statusCode": 405}, 0, "NOT AUDITED: npm"),
    ],
)
def test_a_known_vulnerability_fails_and_no_answer_is_reported(monkeypatch, capsys, python, npm, code, said):
    monkeypatch.setattr(audit, "asked", lambda command: npm if command is audit.NPM else python)
    assert audit.main() == code
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("program", [("print('ERROR')",), ("raise SystemExit(1)",), ("print('[]')",)])
def test_anything_but_a_report_counts_as_no_answer(program):
    assert audit.asked((sys.executable, "-c", *program)) == {}


def test_a_missing_program_gives_no_report():
    assert audit.asked(("no-such-program",)) == {}
