"""The parts of docs/ that are made from the code: settings, commands of the host, metrics, kinds of records.

    python -m tests.delivery.generated_docs

writes them between the marks that the pages have for them; `test_documents` says when they are stale.
"""

import argparse
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from pydantic_core import PydanticUndefined

from server.command_line import command_parser
from server.realtime.runtime.stats import Stats
from server.settings import Settings
from server.storage.tables.stores import KINDS
from server.web.operation.loop_times import LoopTime
from server.web.operation.metrics import HandlerCollector, LivePlayCollector, ReleaseCollector, RequestCollector

DOCS = Path(__file__).parents[2] / "docs"
MARKED = re.compile(r"(<!-- generated: (.+?) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
SHOWN = {"boolean": "`true` or `false`", "string": "text", "array": "networks"}


def generated(text):
    """The page with all its marked parts as the code is now."""
    return MARKED.sub(lambda found: found[1] + part(found[2]) + found[4], text)


def part(name):
    """What stands between the marks of that name."""
    match name:
        case "settings":
            return settings()
        case "metrics":
            return metrics()
        case "records":
            return records()
        case "settings-command":
            return command(["settings"])
    return command(name.split())


def settings():
    """A table of every setting."""
    schemas = Settings.model_json_schema()["properties"]
    rows = [
        (f"`FAIRYHOUSE_{name.upper()}`", kind(schemas[name]), default(field), field.description)
        for name, field in Settings.model_fields.items()
    ]
    return table(("setting", "type", "default", "meaning"), rows)


def kind(schema):
    """What may be set, in words, of a JSON Schema."""
    schema = schema.get("anyOf", [schema])[0]
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    if schema["type"] == "integer":
        return f"{schema['minimum']:,} to {schema['maximum']:,}"
    if schema["type"] == "array" and "format" not in schema["items"] and "anyOf" not in schema["items"]:
        return "origins"
    return "folder" if schema.get("format") == "path" else SHOWN[schema["type"]]


def default(field):
    """The default of a setting, as one would write it."""
    assert field.default is not PydanticUndefined
    if field.default in (None, ()):
        return "none"
    shown = ",".join(field.default) if isinstance(field.default, tuple) else field.default
    return f"`{str(shown).lower() if isinstance(shown, bool) else shown}`"


@cache
def commands():
    """Every command without commands below it: its words, and what reads it."""
    found = {}

    def collect(words, parser):
        below = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
        if below:
            for name, each in below[0].choices.items():
                collect((*words, name), each)
        if words and (not below or parser.description):
            found[words] = parser

    collect((), command_parser())
    return found


def command(words):
    """What a command does, and what may follow its name."""
    parser = commands()[tuple(words)]
    rows = []
    for one in parser._actions:
        if isinstance(one, argparse._HelpAction | argparse._SubParsersAction):
            continue
        name = " ".join((*one.option_strings[:1], *shown_value(one)))
        rows.append((f"`{name}`", plain(one.help or "")))
    said = f"{plain(parser.description)}\n" if parser.description else ""
    asked = table((f"`{' '.join(words)}` …", ""), rows) if rows else ""
    return "\n".join(filter(None, (said, asked)))


def shown_value(action):
    """How the value of an argument is written; nothing for a switch."""
    if action.option_strings and action.nargs == 0:
        return ()
    return (str(action.metavar or action.dest.upper()),)


def plain(text):
    """Words of the command line as a page may have them."""
    return text.replace("|", "\\|")


def metrics():
    """A table of every metric of the site's own."""
    stats = Stats()
    stats.refused["code"] += 1
    services = SimpleNamespace(timers=(), stats=stats, store=SimpleNamespace(damage=SimpleNamespace(found={"x": 1})))
    game = SimpleNamespace(game=SimpleNamespace(status=SimpleNamespace(value="x")))

    class Rounds(list):
        pass

    rounds = Rounds([game])
    rounds.services = services
    sockets = type("Sockets", (tuple,), {"closed": Counter({1000: 1}), "cut": 0})()
    times = defaultdict(LoopTime, {"/": LoopTime()})
    counts = SimpleNamespace(answered={("/", "GET", 200): 1})
    collectors = (
        ReleaseCollector(),
        LivePlayCollector(rounds, sockets),
        HandlerCollector(times),
        RequestCollector(counts),
    )
    rows = [
        (
            f"`{one.name}{'_total' if one.type == 'counter' else ''}`",
            one.type,
            ", ".join(f"`{label}`" for label in one.samples[0].labels if label != "le"),
            one.documentation,
        )
        for collector in collectors
        for one in collector.collect()
    ]
    return table(("metric", "type", "labels", "meaning"), rows)


def records():
    """A table of every kind of record that a site stores."""
    rows = [(f"`{name}`", ", ".join(f"`{field}`" for field in kind.fields)) for name, kind in sorted(KINDS.items())]
    return table(("records", "fields"), rows)


def table(head, rows):
    """A table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"|{'|'.join(f' {cell} ' if cell != '---' else cell for cell in line)}|\n" for line in lines)


if __name__ == "__main__":
    for page in sorted(DOCS.glob("*.md")):
        page.write_text(generated(page.read_text()))
