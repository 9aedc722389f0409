"""Numbers and lists that the pages state are those of the code: a sentence that has become untrue is named."""

import pytest

from server.cli.engines import DEPTHS, THINKS_MS
from server.games.clocks.time_control import BANK_DAYS
from server.games.studies import MAX_BYTES, MAX_CHAPTERS, MAX_MEMBERS, MAX_STUDIES
from server.realtime.lobby import DAYS_KEPT_MS
from server.realtime.open_seeks import OTHERS_FIRST_MS
from server.rules.variant.variant import MAX_RANKS
from server.settings import Settings
from server.storage.protocols.explorer import DEPTH
from server.web.accounts.accounts import BROWSER_KEPT_MS, MOST_NETWORKS, NAME_HELD
from server.web.analysis import LONGEST_LINE
from server.web.bots.challenge_api import GAMES_OF_A_BOT
from server.web.bots.streams import PER_ACCOUNT
from server.web.budgets.limits import Limits
from server.web.notifications.handlers import KEPT_MS
from server.web.notifications.letters import MAIL_KEPT_MS
from server.web.operation.housekeeping import MAIL_KNOWN_MS, REPORTS_KEPT_MS
from server.web.session import ABSOLUTE, IDLE
from tests.support.documents import ROOT, text_of
from tests.support.rules.built_in import VARIANTS

DAY_MS = 86_400_000
LIMITS = Limits()
DEFAULT = {name: field.default for name, field in Settings.model_fields.items()}
NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
WORDS = dict(enumerate(NUMBERS.split()))
SENTENCES = [
    ("README.md", f"It has {WORDS[len(VARIANTS)]} variants,"),
    ("variants.md", f"The {WORDS[len(VARIANTS)]} files in `server/rules/data/variants`"),
    ("variants.md", f"Boards go up to {MAX_RANKS}×{MAX_RANKS}."),
    ("players.md", f"then others have {OTHERS_FIRST_MS // 1_000} seconds to come first"),
    ("players.md", f"at {WORDS[len(DEPTHS)]} levels"),
    ("README.md", f"at {WORDS[len(DEPTHS)]} levels"),
    ("bots.md", "| ms, at most | " + " | ".join(f"{ms:,}" for ms in THINKS_MS) + " |"),
    ("bots.md", "| half-moves deep, at most | " + " | ".join(map(str, DEPTHS)) + " |"),
    *(
        ("players.md", f"| {start} days | {more} day{'s' * (more > 1)} more | {most} days |")
        for start, more, most in BANK_DAYS
    ),
    ("players.md", f"{DEFAULT['vacation_days']} days a year"),
    ("players.md", f"up to half-move {DEPTH},"),
    ("players.md", f"up to {MAX_MEMBERS} members by name"),
    ("players.md", f"{MAX_STUDIES} studies of {MAX_CHAPTERS} chapters, {MAX_BYTES // 1_000_000} MB in all;"),
    ("players.md", f"a chapter has at most {LONGEST_LINE} moves"),
    ("bots.md", f"at most {GAMES_OF_A_BOT} games and {PER_ACCOUNT} streams at once"),
    ("bots.md", f"{LIMITS.bots.amount:,} requests a minute"),
    ("customise.md", f"A session may send in {LIMITS.brought.amount:,} half-moves of offline games a day"),
    ("customise.md", f"an address {LIMITS.brought.shared:,}."),
    ("moderation.md", f"A closed report is deleted after {REPORTS_KEPT_MS // DAY_MS} days"),
    ("moderation.md", f"the name is not free again for {NAME_HELD // DAY_MS} days"),
    ("mail.md", f"mail waits for {WORDS[MAIL_KEPT_MS // DAY_MS]} days at most"),
    ("privacy.md", f"{IDLE // DAY_MS} days without use, {ABSOLUTE // DAY_MS} days at most"),
    ("privacy.md", f"marks of the last {MOST_NETWORKS} networks"),
    ("privacy.md", f"the name alone is then reserved for {NAME_HELD // DAY_MS} days"),
    ("privacy.md", f"strangers who guess its password | {BROWSER_KEPT_MS // DAY_MS} days"),
    ("privacy.md", f"`FAIRYHOUSE_ABORTED_KEPT_DAYS` ({DEFAULT['aborted_kept_days']})"),
    ("privacy.md", f"`FAIRYHOUSE_CHAT_KEPT_DAYS` ({DEFAULT['chat_kept_days']})"),
    ("privacy.md", f"alerts (*Notify me*) | who asked | {KEPT_MS // DAY_MS} days"),
    ("privacy.md", f"correspondence: {WORDS[DAYS_KEPT_MS // (7 * DAY_MS)]} weeks at most"),
    ("privacy.md", f"who wrote them | accounts | {WORDS[MAIL_KNOWN_MS // (7 * DAY_MS)]} weeks"),
    ("privacy.md", f"{REPORTS_KEPT_MS // DAY_MS} days after the host closed it"),
]  # fmt: skip


@pytest.mark.parametrize(("page", "sentence"), SENTENCES)
def test_what_a_page_counts_is_what_there_is(page, sentence):
    assert sentence in " ".join(text_of(page).split())


def test_the_readme_names_every_variant():
    named = text_of("README.md").partition("## Variants\n\n")[2].partition(".\n\n")[0].split("·")
    there = (one.name.removesuffix(" Chess") + " (and 960)" * one.chess960 for one in VARIANTS.values())
    assert sorted(" ".join(name.split()) for name in named) == sorted(there)


def test_the_oldest_python_is_the_one_that_the_project_asks_for():
    asked = (ROOT / "pyproject.toml").read_text().partition('requires-python = ">=')[2].partition('"')[0]
    for page in ("README.md", "install.md", "CONTRIBUTING.md"):
        assert f"{asked} " in text_of(page)
