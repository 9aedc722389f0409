"""The settings of a site, frozen. Does not know where they come from (`setting_sources`) nor what they are used for.

Every setting has a default that works, so that nothing needs to be set. A value that makes no sense is refused with a
sentence: a server that misreads half of its settings is worse than one that does not start.
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Annotated, Final, Literal, Self
from urllib.parse import SplitResult, urlsplit, urlunsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

ALL_SITES: Final = "*"
NO_SITE: Final = "none"
DEFAULT_PORTS = {"http": 80, "https": 443}
HOST_NAME: Final = re.compile(r"(?:[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?")
SECRETS: Final = frozenset({"mongodb_uri", "redis_url", "smtp_url", "vapid_private_key"})
"""Settings that may hold a password or a key: never shown, and readable from files of their own."""
LONGEST_MAILBOX: Final = 254
MAILBOX_NAME: Final = re.compile(r"(?=.{1,64}\Z)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
DOMAIN: Final = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])")
THROUGH_SENTINEL: Final = {"redis+sentinel": "redis", "rediss+sentinel": "rediss"}
"""Schemes of addresses that name Sentinels, and the scheme by which these and Redis itself are then reached."""
SENTINEL_PORT: Final = 26379
AT_DESK: Final = "Set, nobody can choose it [at the desk](moderation.md#what-the-site-says-of-itself)"
"""What is said of settings that `games.site_settings.House` has, too."""


class InvalidSettings(Exception):
    """Some settings cannot be used; the message has one line for each, with the reason."""


class Misfit(ValueError):
    """Some settings do not fit together. The message says why, `settings` names them."""

    def __init__(self, message: str, *settings: str) -> None:
        super().__init__(message)
        self.settings = settings


class UnusableRedis(Exception):
    """The Redis there cannot join the nodes. The message says what the host can do, and contains no password."""


@dataclass(frozen=True, slots=True)
class RedisAddress:
    """`url`: for redis-py. With `sentinels` (hosts and ports), which know where the Redis called `master` is, all but
    its host and port counts.
    """

    url: str
    sentinels: tuple[tuple[str, int], ...] = ()
    master: str = ""

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts that are asked first; none for a socket of this machine."""
        if self.sentinels:
            return tuple(host for host, _ in self.sentinels)
        parts = urlsplit(self.url)
        return () if parts.scheme == "unix" else (parts.hostname or "",)


def origin(text: str) -> str:
    """`scheme://host[:port]` as browsers write it: in lower case, without a default port.

    Raises ValueError with a sentence if there is more to it than that.
    """
    parts = urlsplit(text.strip())
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        raise ValueError("give the address that people type, such as https://chess.example.org")
    if parts.path not in ("", "/") or parts.query or parts.fragment or parts.username is not None:
        raise ValueError("give scheme and host only, without a path: the site must be at the root of its host")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else ascii_host(parts.hostname)
    port = "" if parts.port in (None, DEFAULT_PORTS[parts.scheme]) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


def ascii_host(name: str) -> str:
    """The name of one host as browsers send it. Raises ValueError with a sentence."""
    try:
        found = name.encode("idna").decode().lower()
    except UnicodeError:
        found = ""
    if not HOST_NAME.fullmatch(found):
        raise ValueError("give the address of one host, such as https://chess.example.org")
    return found


def parse_networks(given: object) -> object:
    """The networks in a text with commas between them, or in a list. Raises ValueError with a sentence."""
    texts = given.split(",") if isinstance(given, str) else given
    if not isinstance(texts, list | tuple):
        raise ValueError("give networks with commas between them, such as 127.0.0.1,10.0.0.0/8")
    try:
        return tuple(ip_network(str(text).strip()) for text in texts)
    except ValueError:
        raise ValueError("give networks with commas between them, such as 127.0.0.1,10.0.0.0/8") from None


def parse_origins(given: object) -> object:
    """The origins in a text with commas between them, or in a list; or one word, ALL_SITES or NO_SITE.

    Raises ValueError with a sentence.
    """
    texts = [text.strip() for text in given.split(",")] if isinstance(given, str) else given
    if not isinstance(texts, list | tuple):
        raise ValueError("give origins with commas between them, or *, or none")
    if list(texts) in ([ALL_SITES], [NO_SITE]):
        return tuple(texts)
    if ALL_SITES in texts or NO_SITE in texts:
        raise ValueError("give * or none alone, or origins with commas between them")
    return tuple(origin(str(text)) for text in texts)


def one_of_schemes(*schemes: str) -> AfterValidator:
    """A validator that requires an address with one of the schemes."""

    def check(text: str) -> str:
        if not text.startswith(tuple(f"{scheme}://" for scheme in schemes)):
            raise ValueError(f"it must begin with {' or '.join(f'{scheme}://' for scheme in schemes)}")
        return text

    return AfterValidator(check)


def has_port_that_can_be(url: str) -> bool:
    """Does `url` have no port, or a number? What stands there otherwise may be a part of a password with a slash, so no
    message may repeat it, as that of `urlsplit` does.
    """
    try:
        urlsplit(url).port  # noqa: B018
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Does `host` name a loopback address?"""
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host in ("", "localhost")


def existing_folder(path: Path) -> Path:
    """Raises ValueError unless there is such a folder."""
    if not path.is_dir():
        raise ValueError("there is no such folder")
    return path


def contact(who: str) -> AfterValidator:
    """A validator that requires an address at which `who` can write to the host."""

    def check(text: str) -> str:
        return check_contact(text, who)

    return AfterValidator(check)


def check_contact(text: str, who: str = "people reach you") -> str:
    """`text`, if it is an address at which `who` can write to the host. Raises ValueError with a sentence."""
    if text.startswith("mailto:"):
        parse_mailbox(text.removeprefix("mailto:").partition("?")[0])
    elif not text.startswith("https://") or not urlsplit(text).hostname or len(text) > 200:
        raise ValueError(f"give an address where {who}, such as mailto:you@example.org")
    return text


def parse_mailbox(text: str) -> str:
    """The address name@example.org, with its domain in lower case. Raises ValueError with a sentence.

    Only the plain form of RFC 5321 is taken: without quotes, comments or an IP address as the domain, and with the name
    in ASCII. So no address can end a header or a command early. A domain in another script is written in ASCII.
    """
    name, at, given = text.strip().rpartition("@")
    address = f"{name}@{parse_domain(given)}" if at else ""
    if not MAILBOX_NAME.fullmatch(name) or len(address) > LONGEST_MAILBOX:
        raise ValueError("give an address such as name@example.org")
    return address


def reader_of(box: str) -> str:
    """What identifies the reader of a mailbox: name+anything@example.org is name@example.org."""
    name, _, domain = box.lower().rpartition("@")
    return f"{name.partition('+')[0] or name}@{domain}"


def parse_domain(text: str) -> str:
    """The domain, in lower case and ASCII. Raises ValueError with a sentence."""
    try:
        found = text.strip().encode("idna").decode().lower()
    except UnicodeError:
        found = ""
    if not DOMAIN.fullmatch(found):
        raise ValueError("give a domain such as example.org")
    return found


def parse_redis_url(text: str) -> RedisAddress:
    """What `text` says, for instance `redis+sentinel://:password@one:26379,two:26379/mymaster/0`.

    Raises ValueError with a sentence, which does not repeat it.
    """
    parts = urlsplit(text)
    if parts.scheme not in THROUGH_SENTINEL:
        return RedisAddress(text)
    access, at, hosts = parts.netloc.rpartition("@")
    sentinels = tuple(_host_and_port(one) for one in hosts.split(","))
    master, _, database = parts.path.strip("/").partition("/")
    if not master or not (database or "0").isdecimal():
        raise ValueError(
            "give the Sentinels and what they call Redis: redis+sentinel://:password@one,two,three/mymaster/0"
        )
    scheme = THROUGH_SENTINEL[parts.scheme]
    url = urlunsplit((scheme, f"{access}{at}localhost", f"/{database}", parts.query, ""))
    return RedisAddress(url, sentinels, master)


def _host_and_port(text: str) -> tuple[str, int]:
    try:
        host: SplitResult = urlsplit(f"//{text}")
        port = host.port or SENTINEL_PORT
    except ValueError:
        raise ValueError("give each Sentinel as host:port, with commas between them") from None
    if not host.hostname:
        raise ValueError("give each Sentinel as host:port, with commas between them")
    return host.hostname, port


class Settings(BaseModel):
    """What the host may set. The description of a setting is what `docs/settings.md` says of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: Annotated[str, Field(min_length=1, max_length=255)] = Field(
        "127.0.0.1", description="the address on which the server listens; `0.0.0.0` for the local network"
    )
    port: Annotated[int, Field(ge=1, le=65535)] = Field(8080, description="the port on which it listens")
    public_url: Annotated[str, AfterValidator(origin)] | None = Field(
        None,
        description="the address that people type, such as `https://chess.example.org`; links start with it, and only"
        " its own pages may change anything. `http://localhost:PORT` if not set",
    )
    trusted_proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], BeforeValidator(parse_networks)] = Field(
        (),
        description="networks of proxies whose `X-Forwarded-For` is believed, with commas between them;"
        " [if not set](proxy.md#whose-address-counts), on https sites those of this machine and of private networks",
    )
    data_dir: Path = Field(Path("data"), description="where everything is kept when there is no MongoDB")
    mongodb_uri: Annotated[str, one_of_schemes("mongodb", "mongodb+srv")] | None = Field(
        None, description="keep everything in MongoDB instead: a replica set, even of one member"
    )
    mongodb_standalone: bool = Field(
        False, description="allow a MongoDB server that is no replica set, and so cannot survive the loss of its disk"
    )
    redis_url: Annotated[str, one_of_schemes("redis", "rediss", "unix", *THROUGH_SENTINEL)] | None = Field(
        None,
        description="joins several servers that share one MongoDB; a Redis on another machine must have a password."
        " Also [through Sentinels](cluster.md#redis)",
    )
    metrics_port: Annotated[int, Field(ge=1, le=65535)] | None = Field(
        None, description="a port that serves [metrics](monitoring.md#metrics) to Prometheus"
    )
    metrics_host: Annotated[str, Field(min_length=1, max_length=255)] = Field(
        "127.0.0.1",
        description="the address of that port; another than this machine's only where nobody but Prometheus gets to",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="the least important events that [the log](monitoring.md#the-log) has"
    )
    log_format: Literal["auto", "json", "text"] = Field(
        "auto",
        description="whether each line of the log is a JSON object or plain words; `auto`: plain words on a terminal",
    )
    aborted_kept_days: Annotated[int, Field(ge=0, le=36_500)] = Field(
        7, description=f"how long games that were aborted, declined or never begun are kept; 0: for ever. {AT_DESK}"
    )
    chat_kept_days: Annotated[int, Field(ge=0, le=36_500)] = Field(
        365, description=f"how long the chat of a finished game is kept; 0: for ever. {AT_DESK}"
    )
    imports_kept_days: Annotated[int, Field(ge=0, le=36_500)] = Field(
        0, description=f"how long imported games are kept after their import; 0: for ever. {AT_DESK}"
    )
    vacation_days: Annotated[int, Field(ge=0, le=180)] = Field(
        28, description="on how many days of a calendar year somebody may be on vacation; 0: there are no vacations"
    )
    shipped_puzzles: bool = Field(True, description="whether the site has the puzzles that come with the program")
    fill_puzzles: Annotated[int, Field(ge=0, le=2_000)] = Field(
        200,
        description="how many puzzles each form of a variant has at least in the end: where Node is, a process of the"
        " lowest priority [makes them](operate.md#puzzles); 0: none are made",
    )
    bots_rated: bool = Field(False, description="whether bots may play rated games, against each other only")
    host_contact: Annotated[str, contact("people reach you")] | None = Field(
        None,
        description="where people reach you, for instance about a lost password: `mailto:you@example.org` or an"
        " `https://` page; linked at the foot of pages and where people sign in",
    )
    embed_origins: Annotated[tuple[str, ...], BeforeValidator(parse_origins)] = Field(
        (ALL_SITES,),
        description="sites whose pages may show [games in a frame](customise.md#games-on-other-sites), such as"
        " `https://club.example.org`, with commas between them; `*`: any, `none`: no site",
    )
    source_url: Annotated[str, one_of_schemes("https", "http")] | None = Field(
        None,
        description="where the source of the program is that runs here, for `/about` and the foot of pages; a wheel"
        " brings it along. Set it if you have changed the program without building a wheel of it",
    )
    variants_dir: Annotated[Path, AfterValidator(existing_folder)] | None = Field(
        None, description="a folder with [variant files of your own](variants.md)"
    )
    vapid_private_key: Annotated[str, Field(max_length=400)] | None = Field(
        None, description="[web push](push.md): a key of your own"
    )
    vapid_contact: Annotated[str, contact("a push service can complain")] | None = Field(
        None, description="web push: where a push service can complain, `mailto:you@example.org`"
    )
    smtp_url: Annotated[str, one_of_schemes("smtp", "smtps", "smtp+starttls")] | None = Field(
        None, description="[mail](mail.md): the server that takes it, such as `smtp://localhost:25`"
    )
    mail_from: Annotated[str, AfterValidator(parse_mailbox)] | None = Field(
        None, description="the address that mail comes from"
    )
    mail_domain: Annotated[str, AfterValidator(parse_domain)] | None = Field(
        None,
        description="the domain in the names of mails and of the addresses for replies; that of"
        " `FAIRYHOUSE_MAIL_FROM` if not set",
    )
    mail_lmtp_port: Annotated[int, Field(ge=1, le=65535)] | None = Field(
        None,
        description="[replies to mails](mail.md#replies-by-mail): a port where the mail server hands them over by LMTP",
    )
    mail_lmtp_host: Annotated[str, Field(min_length=1, max_length=255)] = Field(
        "127.0.0.1",
        description="the address of that port; another than this machine's own only where nobody but the mail server"
        " gets to",
    )

    @model_validator(mode="after")
    def several_nodes_share_a_store(self) -> Self:
        if self.redis_url and not self.mongodb_uri:
            raise Misfit(
                "FAIRYHOUSE_REDIS_URL joins several nodes, and they need one store: set FAIRYHOUSE_MONGODB_URI too",
                "redis_url",
            )
        return self

    @field_validator("redis_url")
    @classmethod
    def redis_is_not_open_to_strangers(cls, url: str | None) -> str | None:
        address = parse_redis_url(url or "unix:")
        if not has_port_that_can_be(address.url):
            raise ValueError("give Redis as redis://:password@host:6379/0, and write / in the password as %2F")
        if not urlsplit(address.url).password and not all(map(is_loopback, address.hosts)):
            raise ValueError(
                "whoever reaches this Redis could read and invent what the servers tell each other; let it ask for a"
                " password, and give that here: redis://:password@host:6379/0"
            )
        return url

    @model_validator(mode="after")
    def each_port_has_one_use(self) -> Self:
        ports = {
            "PORT": self.port,
            "METRICS_PORT": self.metrics_port,
            "MAIL_LMTP_PORT": self.mail_lmtp_port,
        }
        for name, port in ports.items():
            same = [other for other, number in ports.items() if number == port]
            if port is not None and len(same) > 1:
                raise Misfit(
                    f"FAIRYHOUSE_{name} and FAIRYHOUSE_{same[1]} are both {port}: give each its own",
                    *(one.lower() for one in same),
                )
        return self

    @model_validator(mode="after")
    def push_needs_key_and_contact(self) -> Self:
        if bool(self.vapid_private_key) != bool(self.vapid_contact):
            raise Misfit(
                "web push needs both FAIRYHOUSE_VAPID_PRIVATE_KEY and FAIRYHOUSE_VAPID_CONTACT",
                *("vapid_private_key", "vapid_contact"),
            )
        return self

    @field_validator("smtp_url")
    @classmethod
    def mail_server_can_be_reached(cls, url: str | None) -> str | None:
        parts = urlsplit(url or "smtp://localhost")
        if not has_port_that_can_be(parts.geturl()):
            raise ValueError(
                "give the mail server as smtp://user:password@host:port, and write / in a password as %2F, @ as %40"
            )
        if not parts.hostname or parts.port == 0 or parts.path not in ("", "/") or parts.query or parts.fragment:
            raise ValueError(
                "give the mail server as smtp://host:port, with user:password@ before it if it asks for one"
            )
        if parts.scheme == "smtp" and parts.password and not is_loopback(parts.hostname):
            raise ValueError("the password would be sent where others can read it; use smtp+starttls:// or smtps://")
        return url

    @model_validator(mode="after")
    def mail_needs_server_and_sender(self) -> Self:
        more = self.mail_domain or self.mail_lmtp_port
        if bool(self.smtp_url) != bool(self.mail_from) or (more and not self.smtp_url):
            raise Misfit(
                "mail needs both FAIRYHOUSE_SMTP_URL and FAIRYHOUSE_MAIL_FROM",
                *("smtp_url", "mail_from", "mail_domain", "mail_lmtp_port"),
            )
        return self

    @property
    def site_file(self) -> Path:
        """Where everything is kept when there is no MongoDB."""
        return self.data_dir / "fairyhouse.sqlite3"

    @property
    def domain_of_mail(self) -> str:
        """The domain in the names of mails; "" without mail."""
        return self.mail_domain or (self.mail_from or "").rpartition("@")[2]

    @property
    def address(self) -> str:
        """The origin that links start with, without a slash at the end."""
        return self.public_url or f"http://localhost:{self.port}"

    @property
    def origins(self) -> frozenset[str]:
        """The origins whose pages may change anything: the public address, or both names of this machine by default."""
        if self.public_url:
            return frozenset({self.public_url})
        return frozenset(f"http://{name}:{self.port}" for name in ("localhost", "127.0.0.1"))

    @property
    def can_be_embedded(self) -> bool:
        """May any other site show a game of this one in a frame?"""
        return self.embed_origins != (NO_SITE,)

    @property
    def secure(self) -> bool:
        """Whether people come by https; cookies and headers then insist on it."""
        return self.address.startswith("https://")
