"""The limits of what requests may cost, and what a budget is made of; routes.py gives each route its own.

Whatever depends on more than the address of a request (an id that does not exist, a picture that is not drawn yet, the
name that a password is tried for) is charged where it is found out, to limits that no budget names. Knows no handler.
"""

from dataclasses import dataclass, field
from typing import Final

from aiohttp import web

from server.web.budgets.buckets import RateLimit
from server.web.rendering.problems import too_many


@dataclass(slots=True)
class Limits:
    """Every limit. Those that budgets name count by network address or by session, as the budget says."""

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
    seated: RateLimit = field(default_factory=lambda: RateLimit(120, 60))
    """Requests of players with a seat in a game in play beyond the limit of their address, by session."""
    seated_by_address: RateLimit = field(default_factory=lambda: RateLimit(1_200, 60))
    """The same by address: enough for a class at their boards, but one person with fifty seats stays limited."""
    recognising: RateLimit = field(default_factory=lambda: RateLimit(30, 30))
    """Sessions looked up beyond the limits of the address, to see whether they have a seat, by address."""
    recognising_in_all: RateLimit = field(default_factory=lambda: RateLimit(200, 10))
    """The same for the whole server: made-up cookies reach the store no more often."""
    create: RateLimit = field(default_factory=lambda: RateLimit(20, 60))
    """New games, seeks, alerts and devices, by session."""
    seeks_by_address: RateLimit = field(default_factory=lambda: RateLimit(120, 3600))
    """Seeks, by address: a school can look for opponents all at once, but one machine cannot fill the lobby."""
    challenges: RateLimit = field(default_factory=lambda: RateLimit(60, 3600))
    """Challenges by name, by challenger: each notifies somebody, and a new session is easily had."""
    proposals: RateLimit = field(default_factory=lambda: RateLimit(10, 86_400))
    """Games proposed to two other people, by proposer."""
    proposals_to_two: RateLimit = field(default_factory=lambda: RateLimit(2, 86_400))
    """The same, for the same two."""
    proposals_to_one: RateLimit = field(default_factory=lambda: RateLimit(10, 86_400))
    """The same, for each who is asked."""
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
    guests_in_all: RateLimit = field(default_factory=lambda: RateLimit(100, 10))
    """New guests, for the whole server."""
    registrations: RateLimit = field(default_factory=lambda: RateLimit(20, 3600))
    """New accounts, by address: half a class in an hour."""
    sign_ins: RateLimit = field(default_factory=lambda: RateLimit(10, 600))
    """Attempts to sign in to one name, by address."""
    sign_ins_of_strangers: RateLimit = field(default_factory=lambda: RateLimit(100, 600))
    """Attempts to sign in to one name from anywhere its owner has never signed in. Using that up takes ten addresses,
    and an owner who happens to be travelling then waits for a few seconds."""
    sign_ins_by_address: RateLimit = field(default_factory=lambda: RateLimit(50, 600))
    passwords: RateLimit = field(default_factory=lambda: RateLimit(10, 600))
    """Passwords that signed-in people confirm, by session: attempts of strangers do not count against them."""
    confirmations: RateLimit = field(default_factory=lambda: RateLimit(10, 86_400))
    """Links to confirm mail addresses, by account; also by mailbox, for people who make ever more accounts."""
    confirmations_of_mailbox: RateLimit = field(default_factory=lambda: RateLimit(4, 86_400))
    invitations: RateLimit = field(default_factory=lambda: RateLimit(10, 86_400))
    """Invitations by mail, by account; also by mailbox, whoever sends them."""
    invitations_of_mailbox: RateLimit = field(default_factory=lambda: RateLimit(2, 7 * 86_400))
    recoveries: RateLimit = field(default_factory=lambda: RateLimit(4, 3600))
    """Links for a new password, by account."""
    recoveries_by_address: RateLimit = field(default_factory=lambda: RateLimit(20, 3600))
    """Times that somebody asks for one, by address, whether or not there is such an account."""
    replies_by_player: RateLimit = field(default_factory=lambda: RateLimit(120, 3600))
    """Replies by mail, by player; also by seat, and for the whole server. Mail servers try again later."""
    replies_by_seat: RateLimit = field(default_factory=lambda: RateLimit(120, 3600))
    replies_in_all: RateLimit = field(default_factory=lambda: RateLimit(1_200, 60))
    bounces_in_all: RateLimit = field(default_factory=lambda: RateLimit(1_200, 60))
    """Bounce reports from other mail servers, for the whole server: made-up ones in masses keep no reply waiting."""
    replies_that_do_nothing: RateLimit = field(default_factory=lambda: RateLimit(10, 3600))
    """Replies that are answered although nothing was done, by seat: so a program that answers our answers, and does not
    say that it is one, has the last word."""
    ties: RateLimit = field(default_factory=lambda: RateLimit(60, 3600))
    """Following and blocking, by person; also by address, as a new session is easily had."""
    ties_by_address: RateLimit = field(default_factory=lambda: RateLimit(240, 3600))
    reports: RateLimit = field(default_factory=lambda: RateLimit(10, 86_400))
    """Reports to the host, by reporter; also by address."""
    reports_by_address: RateLimit = field(default_factory=lambda: RateLimit(30, 86_400))
    bots_by_address: RateLimit = field(default_factory=lambda: RateLimit(6_000, 60))
    """Requests to the Bot API, by address: many bots can be on one machine."""
    by_token: RateLimit = field(default_factory=lambda: RateLimit(1_200, 60))
    """The same by account, however many tokens it has."""
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
    imported: RateLimit = field(default_factory=lambda: RateLimit(400, 86_400))
    """Imported games, by session; also by address, for people who come back without their cookie."""
    imported_by_address: RateLimit = field(default_factory=lambda: RateLimit(1_000, 86_400))
    refused_plies: RateLimit = field(default_factory=lambda: RateLimit(20_000, 86_400))
    """Half-moves of refused games in files, by address: as many as one person may import."""
    brought: RateLimit = field(default_factory=lambda: RateLimit(20_000, 86_400))
    """Half-moves of games that were played offline, by session; also by address."""
    brought_by_address: RateLimit = field(default_factory=lambda: RateLimit(60_000, 86_400))
    tries: RateLimit = field(default_factory=lambda: RateLimit(600, 60))
    """Moves tried on the analysis board: ten a second, which holding a key down does not reach."""
    long_tries: RateLimit = field(default_factory=lambda: RateLimit(40, 60))
    """Whole lines and games sent to the analysis board."""
    tries_by_address: RateLimit = field(default_factory=lambda: RateLimit(2_400, 60))
    long_tries_by_address: RateLimit = field(default_factory=lambda: RateLimit(120, 60))
    pictures: RateLimit = field(default_factory=lambda: RateLimit(120, 60))
    """Pictures drawn, by address; an animated one counts for several. Those that the browser has already are free."""
    films: RateLimit = field(default_factory=lambda: RateLimit(10, 600))
    """GIFs and long games drawn, by address, in addition to the limit for pictures: they take seconds."""
    exports: RateLimit = field(default_factory=lambda: RateLimit(5, 600))
    """Files of many games or of everything that somebody has here, and studies copied: they are read in full."""
    handshakes: RateLimit = field(default_factory=lambda: RateLimit(60, 30))
    """Sockets opened, by session."""
    handshakes_by_address: RateLimit = field(default_factory=lambda: RateLimit(240, 30))
    """The same by address: a class whose connection was cut is back within seconds."""


def charge(limit: RateLimit, key: str, now: int, cost: int = 1) -> None:
    """Takes `cost` from `limit` at `now` (ms). Raises Problem (429) if `key` has used it up."""
    if wait := limit.take(key, now, cost):
        raise too_many(wait)


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
