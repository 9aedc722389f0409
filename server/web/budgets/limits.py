"""What a request may cost: the budgets of routes, and every limit that they, or handlers, charge. Knows no handler.

Whatever depends on more than the address of a request (an id that does not exist, a picture that is not drawn yet, the
name that a password is tried for) is charged where it is found out, to limits that no budget names.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from aiohttp import web

from server.web.budgets.buckets import RateLimit, SharedLimit
from server.web.rendering.problems import too_many

JSON: Final = 16_384
"""Bytes of the largest form that a page sends, a line of 600 half-moves, and some to spare."""
FIELDS: Final = 4_096
LINE: Final = 24_576
"""As many half-moves as a game can have."""
PGN: Final = 65_536
FILE: Final = 1_000_000
UPLOAD: Final = FILE + 4_096
"""A file and what the form adds to it."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What one request to a route may cost.

    `address`, `session`: the limits that it is charged to, `cost` each. `body`: the most bytes it may send.
    `heavy`: it can compute for more than 5 ms at a time, so only a few such run at once; never for a request that waits
    for a body. (Pictures, passwords, imports and exports have a pace of their own.) `game`: players with a seat in a
    game in play are let in even if the limit of the address is used up. `embedded`: other sites may show it in their
    pages. `from_anywhere`: it may change something though no page of this site sent it.
    """

    address: str = "pages"
    session: str = "session"
    cost: int = 1
    body: int = 0
    heavy: bool = False
    game: bool = False
    embedded: bool = False
    from_anywhere: bool = False


BUDGET: Final = web.RequestKey("BUDGET", Budget)
"""Where a request keeps its budget."""

UNKNOWN: Final = Budget()
"""Unknown addresses, and methods that a known address does not accept."""

PAGE: Final = Budget()

OWN: Final = Budget(heavy=True)
"""A page that is rendered for its reader."""

KEPT: Final = Budget("files")
"""The same for everybody, and rendered once: browsers ask for all of it at a time, to have it offline."""

ONE_GAME: Final = Budget("reads", game=True, heavy=True)

LIST: Final = Budget("reads", heavy=True)

SEARCH: Final = Budget("searches", heavy=True)

PICTURE: Final = Budget("reads", "", embedded=True)

FRAME: Final = Budget("reads", "", heavy=True, embedded=True)
"""What other sites show in frames, to whoever it is."""

FORM: Final = Budget(body=FIELDS)

MAKE: Final = Budget(session="create", body=JSON)

ANSWER: Final = Budget(session="join", body=JSON, game=True)

IMPORT: Final = Budget("imports", body=FILE)

BOT_READS: Final = Budget("bots", "")

BOT_LISTS: Final = Budget("reads", "", heavy=True)
"""Lists that programs read, with a token or without."""

BOT: Final = Budget("bots", "", body=FIELDS, from_anywhere=True)
"""Who calls is found by a token, never by a cookie, so it may come from anywhere."""

FROM_MAIL: Final = Budget(session="", body=FIELDS, from_anywhere=True)
"""One click in a mail program, which has no session."""

SOCKET: Final = Budget("handshakes", "handshakes", game=True)

BUILT: Final = Budget("files", "", game=True)

OF_ROUTES: Final = web.AppKey("OF_ROUTES", dict[web.AbstractRoute, Budget])
"""The budget of each route of a site."""


def add_budgeted(app: web.Application, routes: Iterable[tuple[web.RouteDef, Budget]]) -> None:
    """Adds `routes` to a site, with their budgets; HEAD is charged like GET."""
    for route, budget in routes:
        for added in route.register(app.router):
            # The route for HEAD is made beside that for GET, and only found at the resource of both.
            for each in added.resource or ():
                app[OF_ROUTES].setdefault(each, budget)


@dataclass(slots=True)
class Limits:
    """Every limit. Those that budgets name count by network address or by session, as the budget says.

    Where an address may do more than a session, both are one limit with two keys (`RateLimit.shared`).
    """

    pages: RateLimit = field(default_factory=lambda: RateLimit(600, 60))
    """Everything without a limit of its own, by address: a class behind one address reads, registers and watches."""
    files: RateLimit = field(default_factory=lambda: RateLimit(3_000, 60))
    """Built files, by address: a class of 40 whose browsers have none of them yet."""
    probes: RateLimit = field(default_factory=lambda: RateLimit(60_000, 60))
    """Health checks, by address."""
    cross_site: RateLimit = field(default_factory=lambda: RateLimit(300, 60))
    """What pages of other sites load in a visitor's browser, by address. It is not charged to the visitor's own limits,
    which any page of the web could otherwise use up."""
    session: RateLimit = field(default_factory=lambda: RateLimit(600, 60))
    """Everything without a limit of its own, by session."""
    seated: RateLimit = field(default_factory=lambda: RateLimit(120, 60, shared=1_200))
    """Requests of players with a seat in a game in play beyond the limit of their address, by session, and shared by
    address: enough for a class at their boards, but one person with fifty seats stays limited."""
    recognising: RateLimit = field(default_factory=lambda: RateLimit(30, 30))
    """Sessions looked up beyond the limits of the address, to see whether they have a seat, by address."""
    recognising_in_all: SharedLimit = field(
        default_factory=lambda: SharedLimit(
            RateLimit(200, 10), RateLimit(1_000, 10), RateLimit(20, 30), RateLimit(60, 30)
        )
    )
    """The same for the whole server: made-up cookies reach the store no more often."""
    create: RateLimit = field(default_factory=lambda: RateLimit(20, 60))
    """New games, seeks, alerts and devices, by session."""
    seeks_by_address: RateLimit = field(default_factory=lambda: RateLimit(120, 3600))
    """Seeks, by address: a school can look for opponents all at once, but one machine cannot fill the lobby."""
    challenges: RateLimit = field(default_factory=lambda: RateLimit(60, 3600))
    """Challenges by name, by challenger: each notifies somebody, and a new session is easily had."""
    proposals: RateLimit = field(default_factory=lambda: RateLimit(10, 86_400, shared=10))
    """Games proposed to two other people, by proposer, and shared by each who is asked."""
    proposals_to_two: RateLimit = field(default_factory=lambda: RateLimit(2, 86_400))
    """The same, for the same two."""
    alerts_by_address: RateLimit = field(default_factory=lambda: RateLimit(60, 86_400))
    """Seek alerts, by address: each new seek is compared with all of them."""
    join: RateLimit = field(default_factory=lambda: RateLimit(30, 60))
    """Seats taken, answers to seeks and challenges, links sent, and games brought from offline, by session."""
    reads: RateLimit = field(default_factory=lambda: RateLimit(240, 60))
    """Games read in full, which have to be replayed, and lists of people, by address."""
    misses: RateLimit = field(default_factory=lambda: RateLimit(60, 60))
    """Requests for games that do not exist, by address, so that guessing ids is slow."""
    guests: RateLimit = field(default_factory=lambda: RateLimit(60, 180))
    """New guests, by address: a class of 40 behind one address can start together."""
    guests_in_all: SharedLimit = field(
        default_factory=lambda: SharedLimit(
            RateLimit(100, 10), RateLimit(1_000, 10), RateLimit(6, 60), RateLimit(24, 60)
        )
    )
    """New guests, for the whole server."""
    registrations: RateLimit = field(default_factory=lambda: RateLimit(20, 3600))
    """New accounts, by address: half a class in an hour."""
    join_requests_in_all: SharedLimit = field(
        default_factory=lambda: SharedLimit(
            RateLimit(200, 86_400), RateLimit(5_000, 86_400), RateLimit(6, 86_400), RateLimit(20, 86_400)
        )
    )
    """Requests to join, for the whole server: whoever has a few networks closes the queue for nobody else."""
    sign_ins: RateLimit = field(default_factory=lambda: RateLimit(10, 600, shared=50))
    """Attempts to sign in to one name from one address, shared by address."""
    sign_ins_of_strangers: RateLimit = field(default_factory=lambda: RateLimit(100, 600))
    """Attempts to sign in to one name from anywhere its owner has never signed in. Using that up takes ten addresses,
    and an owner who happens to be travelling then waits for a few seconds."""
    passwords: RateLimit = field(default_factory=lambda: RateLimit(10, 600))
    """Passwords that signed-in people confirm, by session: attempts of strangers do not count against them."""
    confirmations: RateLimit = field(default_factory=lambda: RateLimit(10, 86_400, shared=4))
    """Links to confirm mail addresses, by account, and shared by who reads the mailbox, for people who make ever more
    accounts."""
    invitations: RateLimit = field(default_factory=lambda: RateLimit(10, 86_400))
    """Invitations by mail, by account; also by mailbox, whoever sends them."""
    invitations_of_mailbox: RateLimit = field(default_factory=lambda: RateLimit(2, 7 * 86_400))
    recoveries: RateLimit = field(default_factory=lambda: RateLimit(4, 3600, shared=20))
    """Links for a new password, by account; shared by address, the times that somebody asks for one, whether or not
    there is such an account."""
    recoveries_of_mailbox: RateLimit = field(default_factory=lambda: RateLimit(12, 86_400))
    """The same, by who reads them there: strangers may ask for them, from ever more addresses."""
    join_answers: RateLimit = field(default_factory=lambda: RateLimit(3, 86_400))
    """Requests to join of which the answer is to be mailed to one mailbox, which nobody has confirmed yet."""
    replies_by_player: RateLimit = field(default_factory=lambda: RateLimit(120, 3600))
    """Replies by mail, by player; also by seat, and for the whole server. Mail servers try again later."""
    replies_by_seat: RateLimit = field(default_factory=lambda: RateLimit(120, 3600))
    replies_in_all: RateLimit = field(default_factory=lambda: RateLimit(1_200, 60))
    game_mails: RateLimit = field(default_factory=lambda: RateLimit(30, 3600))
    """Mails about one game each, by who reads the mailbox; the rest is told a little later, in one mail."""
    game_mails_a_day: RateLimit = field(default_factory=lambda: RateLimit(150, 86_400))
    """The same for a day, so that no crowd of challengers makes as many as it can in each hour."""
    bounces_by_owner: RateLimit = field(default_factory=lambda: RateLimit(120, 3600))
    """Bounce reports of mails to one person: whoever reads a mail of ours could send as many as they like."""
    bounces_in_all: RateLimit = field(default_factory=lambda: RateLimit(1_200, 60))
    """Bounce reports from other mail servers, for the whole server: made-up ones in masses keep no reply waiting."""
    replies_that_do_nothing: RateLimit = field(default_factory=lambda: RateLimit(10, 3600))
    """Replies that are answered although nothing was done, by seat: so a program that answers our answers, and does not
    say that it is one, has the last word."""
    ties: RateLimit = field(default_factory=lambda: RateLimit(60, 3600, shared=240))
    """Following and blocking, by person, and shared by address, as a new session is easily had."""
    reports: RateLimit = field(default_factory=lambda: RateLimit(10, 86_400, shared=30))
    """Reports to the host, by reporter, and shared by address."""
    reports_in_all: SharedLimit = field(
        default_factory=lambda: SharedLimit(
            RateLimit(200, 86_400), RateLimit(5_000, 86_400), RateLimit(10, 86_400), RateLimit(30, 86_400)
        )
    )
    """The same, for the whole server: whoever has a few networks buries nobody else's."""
    bots: RateLimit = field(default_factory=lambda: RateLimit(1_200, 60, shared=6_000))
    """Requests to the Bot API, by account, however many tokens it has, and shared by address: many bots can be on one
    machine."""
    wrong_tokens: RateLimit = field(default_factory=lambda: RateLimit(60, 600))
    """Tokens that are nobody's, by address."""
    tokens: RateLimit = field(default_factory=lambda: RateLimit(20, 86_400))
    """New personal tokens, by account."""
    studies: RateLimit = field(default_factory=lambda: RateLimit(60, 60))
    """Changes of studies, by account: what somebody writes is stored every few seconds."""
    vacations: RateLimit = field(default_factory=lambda: RateLimit(30, 86_400))
    """Going away and coming back, by account: each changes all of somebody's games."""
    searches: RateLimit = field(default_factory=lambda: RateLimit(60, 60))
    """Searches of the archive, by address."""
    explored: RateLimit = field(default_factory=lambda: RateLimit(600, 60))
    """Positions looked up in the opening explorer, by address: stepping through games asks for each."""
    imports: RateLimit = field(default_factory=lambda: RateLimit(20, 600))
    """Files to import, by address, whether or not they are accepted."""
    imported: RateLimit = field(default_factory=lambda: RateLimit(400, 86_400, shared=1_000))
    """Imported games, by session, and shared by address, for people who come back without their cookie."""
    refused_plies: RateLimit = field(default_factory=lambda: RateLimit(20_000, 86_400))
    """Half-moves of refused games in files, by address: as many as one person may import."""
    brought: RateLimit = field(default_factory=lambda: RateLimit(20_000, 86_400, shared=60_000))
    """Half-moves of games that were played offline, by session, and shared by address."""
    tries: RateLimit = field(default_factory=lambda: RateLimit(600, 60, shared=2_400))
    """Moves tried on the analysis board, by session, and shared by address: ten a second, which holding a key down does
    not reach."""
    long_tries: RateLimit = field(default_factory=lambda: RateLimit(40, 60, shared=120))
    """Whole lines and games sent to the analysis board, by session, and shared by address."""
    pictures: RateLimit = field(default_factory=lambda: RateLimit(120, 60))
    """Pictures drawn, by address; an animated one counts for several. Those that the browser has already are free."""
    films: RateLimit = field(default_factory=lambda: RateLimit(10, 600))
    """GIFs and long games drawn, by address, in addition to the limit for pictures: they take seconds."""
    exports: RateLimit = field(default_factory=lambda: RateLimit(5, 600))
    """Files of many games or of everything that somebody has here, and studies copied: they are read in full."""
    handshakes: RateLimit = field(default_factory=lambda: RateLimit(60, 30, shared=240))
    """Sockets opened, by session, and shared by address: a class whose connection was cut is back within seconds."""


def charge(limit: RateLimit | SharedLimit, key: str, now: int, cost: int = 1, shared_by: str = "") -> None:
    """Takes `cost` from `limit` at `now` (ms). Raises Problem (429) if `key` or `shared_by` has used it up."""
    if wait := limit.take(key, now, cost, shared_by) if isinstance(limit, RateLimit) else limit.take(key, now):
        raise too_many(wait)
