"""The settings of a site, read once from the environment and frozen. Does not know what they are used for.

Every setting has a default that works, so that nothing needs to be set. A value that makes no sense is refused with a
sentence: a server that misreads half of its settings is worse than one that does not start.
"""

import os
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from server.mailbox import domain, mailbox
from server.redis_address import THROUGH_SENTINEL, hosts_of, redis_address

DEFAULT_PORTS = {"http": 80, "https": 443}


class InvalidSettings(Exception):
    """Some settings cannot be used; the message has one line for each, with the reason."""


def origin(text: str) -> str:
    """`scheme://host[:port]` as browsers write it: in lower case, without a default port.

    Raises ValueError with a sentence if there is more to it than that.
    """
    parts = urlsplit(text.strip())
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        raise ValueError("give the address that people type, such as https://chess.example.org")
    if parts.path not in ("", "/") or parts.query or parts.fragment or parts.username is not None:
        raise ValueError("give scheme and host only, without a path: the site must be at the root of its host")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    port = "" if parts.port in (None, DEFAULT_PORTS[parts.scheme]) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


def one_of_schemes(*schemes: str) -> AfterValidator:
    """A validator that requires an address with one of the schemes."""

    def check(text: str) -> str:
        if not text.startswith(tuple(f"{scheme}://" for scheme in schemes)):
            raise ValueError(f"it must begin with {' or '.join(f'{scheme}://' for scheme in schemes)}")
        return text

    return AfterValidator(check)


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
        if not text.startswith(("mailto:", "https://")) or len(text) > 200:
            raise ValueError(f"give an address where {who}, such as mailto:you@example.org")
        return text

    return AfterValidator(check)


class Settings(BaseModel):
    """`PUBLIC_URL` is the address that people type; all links start with it.

    `HOST_CONTACT` is where people reach whoever runs the site.
    `VAPID_PRIVATE_KEY` and `VAPID_CONTACT` let the site notify people by web push.
    `SMTP_URL` is the mail server that the site hands its mail to, `MAIL_FROM` the address it writes from;
    `MAIL_DOMAIN`, which names its mails and the addresses for replies, is otherwise the domain of that.
    `MAIL_LMTP_PORT` is a port on the loopback address where that server hands over replies.
    `METRICS_PORT` is a port on the loopback address that serves the metrics of `web.operation`.
    `ABORTED_KEPT_DAYS`, `CHAT_KEPT_DAYS` and `IMPORTS_KEPT_DAYS` say how long games without a result, the chat of
    finished games, and imported games are kept.
    `VACATION_DAYS` says for how many days of a year somebody may have all their correspondence games wait; 0: never.
    `MONGODB_STANDALONE` allows a MongoDB server that is not a replica set, and so cannot survive the loss of its disk.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: Annotated[str, Field(min_length=1, max_length=255)] = "127.0.0.1"
    port: Annotated[int, Field(ge=1, le=65535)] = 8080
    public_url: Annotated[str, AfterValidator(origin)] | None = None
    data_dir: Path = Path("data")
    mongodb_uri: Annotated[str, one_of_schemes("mongodb", "mongodb+srv")] | None = None
    mongodb_standalone: bool = False
    redis_url: Annotated[str, one_of_schemes("redis", "rediss", "unix", *THROUGH_SENTINEL)] | None = None
    metrics_port: Annotated[int, Field(ge=1, le=65535)] | None = None
    aborted_kept_days: Annotated[int, Field(ge=0, le=36_500)] = 7
    chat_kept_days: Annotated[int, Field(ge=0, le=36_500)] = 365
    imports_kept_days: Annotated[int, Field(ge=0, le=36_500)] = 0
    vacation_days: Annotated[int, Field(ge=0, le=180)] = 28
    bots_rated: bool = False
    host_contact: Annotated[str, contact("people reach you")] | None = None
    variants_dir: Annotated[Path, AfterValidator(existing_folder)] | None = None
    vapid_private_key: Annotated[str, Field(max_length=400)] | None = None
    vapid_contact: Annotated[str, contact("a push service can complain")] | None = None
    smtp_url: Annotated[str, one_of_schemes("smtp", "smtps", "smtp+starttls")] | None = None
    mail_from: Annotated[str, AfterValidator(mailbox)] | None = None
    mail_domain: Annotated[str, AfterValidator(domain)] | None = None
    mail_lmtp_port: Annotated[int, Field(ge=1, le=65535)] | None = None

    @model_validator(mode="after")
    def several_nodes_share_a_store(self) -> Self:
        if self.redis_url and not self.mongodb_uri:
            raise ValueError("REDIS_URL joins several nodes, and they need one store: set MONGODB_URI too")
        return self

    @field_validator("redis_url")
    @classmethod
    def redis_is_not_open_to_strangers(cls, url: str | None) -> str | None:
        address = redis_address(url or "unix:")
        if not urlsplit(address.url).password and not all(map(is_loopback, hosts_of(address))):
            raise ValueError(
                "whoever reaches this Redis could read and invent what the servers tell each other; let it ask for a"
                " password, and give that here: redis://:password@host:6379/0"
            )
        return url

    @model_validator(mode="after")
    def push_needs_key_and_contact(self) -> Self:
        if bool(self.vapid_private_key) != bool(self.vapid_contact):
            raise ValueError("web push needs both VAPID_PRIVATE_KEY and VAPID_CONTACT")
        return self

    @field_validator("smtp_url")
    @classmethod
    def mail_server_can_be_reached(cls, url: str | None) -> str | None:
        parts = urlsplit(url or "smtp://localhost")
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
            raise ValueError("mail needs both SMTP_URL and MAIL_FROM")
        return self

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
        """The origins whose pages may change anything here: PUBLIC_URL, or both names of this machine by default."""
        if self.public_url:
            return frozenset({self.public_url})
        return frozenset(f"http://{name}:{self.port}" for name in ("localhost", "127.0.0.1"))

    @property
    def secure(self) -> bool:
        """Whether people come by https; cookies and headers then insist on it."""
        return self.address.startswith("https://")


def read_settings() -> Settings:
    """The settings from the environment, where an empty one counts as not set. Raises InvalidSettings."""
    told = {name.lower(): value for name, value in os.environ.items() if value}
    try:
        return Settings.model_validate({name: told[name] for name in Settings.model_fields.keys() & told.keys()})
    except ValidationError as error:
        raise InvalidSettings("\n".join(map(sentence, error.errors(include_url=False)))) from None


def sentence(error: object) -> str:
    """What is wrong with one setting, by its environment variable. The value, perhaps a password, is not repeated."""
    assert isinstance(error, dict)
    name = "_".join(str(part) for part in error["loc"]).upper()
    reason = str(error["msg"]).removeprefix("Value error, ")
    return f"{name} cannot be used: {reason}." if name else f"These settings do not fit together: {reason}."
