"""The room of the desk where a host changes what the site says of itself while it runs. A plain form that works without
a script. What the environment sets is shown there, and cannot be changed. A page of its own has which variants are
offered, in which order, and in which languages the pages are.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Final, Literal

from aiohttp import web
from pydantic import Field

from server.games.desk import Room
from server.games.site_settings import (
    LONGEST_CONTACT,
    LONGEST_LEAD,
    LONGEST_NAME,
    LONGEST_PAGE_TEXT,
    RETENTIONS,
    House,
    changes_of,
    parts_of,
)
from server.realtime.play.chat import ChatForm, clean
from server.realtime.services.site_settings import change_house
from server.settings import check_contact
from server.web.accent import parse_accent
from server.web.accounts.account_pages import see_other
from server.web.desk import DESK, AtDesk, at_desk, required_seat, show_room
from server.web.forms import FIELDS, Form, parse_pairs, read_body, read_fields, validate_fields
from server.web.languages import LANGUAGES
from server.web.operation.housekeeping import kept_days
from server.web.rendering.problems import Problem, with_status
from server.web.site import SITE, Site, contact_of

SETTINGS: Final = f"{DESK}/settings"
OFFER: Final = f"{SETTINGS}/offer"
ONE_LINE: Final = ChatForm(2 * LONGEST_LEAD)
PAGE_TEXT: Final = ChatForm(2 * LONGEST_PAGE_TEXT, line_breaks=True)
PageText = Annotated[str, Field(max_length=2 * LONGEST_PAGE_TEXT)]


DAYS: Final = (1, 7, 30, 90, 180, 365, 730, 0)
"""For how many days something may be kept; 0: for ever."""
KeptDays = Literal["0", "1", "7", "30", "90", "180", "365", "730"]


Revision = Annotated[str, Field(pattern=r"^[0-9]{1,9}$")]


class HouseForm(Form):
    """What the site says of itself. `rev`: the number of the settings that were on the page. What the environment sets
    is not sent; of how long things are kept, chats, name and colour, what is not said stays as it is.
    """

    rev: Revision
    lead: Annotated[str, Field(max_length=2 * LONGEST_LEAD)] = ""
    contact: Annotated[str, Field(max_length=2 * LONGEST_CONTACT)] = ""
    imprint: PageText = ""
    privacy: PageText = ""
    bots_rated: Literal["", "yes"] = ""
    aborted_kept_days: KeptDays | None = None
    chat_kept_days: KeptDays | None = None
    imports_kept_days: KeptDays | None = None
    name: Annotated[str, Field(max_length=2 * LONGEST_NAME)] | None = None
    accent: Annotated[str, Field(max_length=20)] | None = None
    chat: Literal["yes", "no"] | None = None


class OfferForm(Form):
    """`rev` as above. Beside it, which are read apart: `variant-{id}` and `language-{code}` for each that is offered,
    and `place-{id}`, the lowest of which comes first.
    """

    rev: Revision


@at_desk(Room.SETTINGS)
async def settings_page(request: web.Request, seat: AtDesk) -> web.Response:
    """GET /host/settings. `?done`: after they were changed."""
    now = await request.app[SITE].store.site_settings.read()
    return await show_settings(request, seat, now.house, now.rev)


async def show_settings(
    request: web.Request,
    seat: AtDesk,
    house: House,
    rev: int,
    problem: Problem | None = None,
    changes: Sequence[Sequence[str]] = (),
) -> web.Response:
    """The form, filled in with `house`, made from the settings of that number, and what was wrong about it. `changes`:
    what would differ from what others have chosen meanwhile, so that nobody undoes that without having read it.
    """
    site = request.app[SITE]
    locked = locked_by_environment(site)
    page = await show_room(
        request,
        seat,
        "desk/settings.html",
        problem=problem,
        rev=rev,
        changes=changes,
        house=house,
        locked=locked,
        contact=contact_of(site),
        bots_rated=site.settings.bots_rated if "bots_rated" in locked else house.bots_rated,
        kept={name: kept_days(site.settings, house, name) for name in RETENTIONS},
        days=DAYS,
        longest_name=LONGEST_NAME,
        longest_lead=LONGEST_LEAD,
        longest_contact=LONGEST_CONTACT,
        longest_text=LONGEST_PAGE_TEXT,
        done="done" in request.query,
    )
    return with_status(page, problem)


def locked_by_environment(site: Site) -> frozenset[str]:
    """What the environment sets, by the names of the fields."""
    set_there = {"contact": "host_contact", "bots_rated": "bots_rated", **{name: name for name in RETENTIONS}}
    return frozenset(name for name, setting in set_there.items() if setting in site.settings.model_fields_set)


async def change_settings(request: web.Request) -> web.Response:
    """POST /host/settings: what `HouseForm` has."""
    site, form = request.app[SITE], await read_fields(request, HouseForm)
    seat = await required_seat(request, Room.SETTINGS)
    read, locked = await site.store.site_settings.read(), locked_by_environment(site)
    before = read.house
    chosen = {name: getattr(form, name) for name in RETENTIONS if name not in locked}
    house = House(
        lead=clean(form.lead, ONE_LINE),
        contact=before.contact if "contact" in locked else form.contact.strip(),
        imprint=clean(form.imprint, PAGE_TEXT),
        privacy=clean(form.privacy, PAGE_TEXT),
        bots_rated=before.bots_rated if "bots_rated" in locked else form.bots_rated == "yes",
        backups_kept=before.backups_kept,
        **{name: int(chosen.get(name) or getattr(before, name)) for name in RETENTIONS},
        name=before.name if form.name is None else clean(form.name, ONE_LINE),
        accent=before.accent if form.accent is None else form.accent.strip(),
        chat=before.chat if form.chat is None else form.chat == "yes",
        languages=before.languages,
        variants=before.variants,
    )
    try:
        check_house(house)
        house = replace(house, accent=parse_accent(house.accent))
    except Problem as problem:
        return await show_settings(request, seat, house, int(form.rev), problem)

    def decide(now: House) -> House:
        return replace(house, backups_kept=now.backups_kept, languages=now.languages, variants=now.variants)

    if not await change_house(site.store.site_settings, decide, seat.player, site.now(), int(form.rev)):
        now = await site.store.site_settings.read()
        house, conflict = decide(now.house), Problem(409, "settings_changed")
        return await show_settings(request, seat, house, now.rev, conflict, parts_of(changes_of(now.house, house)))
    await site.live.settings.refresh()
    return see_other(f"{SETTINGS}?done")


def check_house(house: House) -> None:
    """Raises Problem (400)."""
    if len(house.name) > LONGEST_NAME:
        raise Problem(400, "site_name_too_long", n=LONGEST_NAME)
    if len(house.lead) > LONGEST_LEAD:
        raise Problem(400, "lead_too_long", n=LONGEST_LEAD)
    if max(len(house.imprint), len(house.privacy)) > LONGEST_PAGE_TEXT:
        raise Problem(400, "page_text_too_long", n=LONGEST_PAGE_TEXT)
    try:
        if house.contact:
            check_contact(house.contact)
    except ValueError:
        raise Problem(400, "bad_contact") from None


@at_desk(Room.SETTINGS)
async def offer_page(request: web.Request, seat: AtDesk) -> web.Response:
    """GET /host/settings/offer. `?done`: after it was changed."""
    now = await request.app[SITE].store.site_settings.read()
    return await show_offer(request, seat, now.house, now.rev)


async def show_offer(
    request: web.Request,
    seat: AtDesk,
    house: House,
    rev: int,
    problem: Problem | None = None,
    changes: Sequence[Sequence[str]] = (),
) -> web.Response:
    """The form as `house` says, with what was wrong about it and `changes`, both as for `show_settings`."""
    known, languages = tuple(request.app[SITE].variants), request.app[LANGUAGES]
    offered = [one for one in house.variants if one in known] or known
    spoken = [one for one in house.languages if one in languages] or list(languages)
    order = dict.fromkeys((*offered, *known))
    page = await show_room(
        request,
        seat,
        "desk/offer.html",
        problem=problem,
        rev=rev,
        changes=changes,
        places=[(one, one in offered, place) for place, one in enumerate(order, 1)],
        spoken=[(one, code in spoken) for code, one in languages.items()],
        done="done" in request.query,
    )
    return with_status(page, problem)


async def change_offer(request: web.Request) -> web.Response:
    """POST /host/settings/offer: what `OfferForm` says."""
    site = request.app[SITE]
    if request.content_type != FIELDS:
        raise Problem(415, "not_form")
    known = tuple(site.variants)
    languages: tuple[str, ...] = (*request.app[LANGUAGES],)
    pairs = parse_pairs(await read_body(request), 2 * len(known) + len(languages) + 4)
    ticked = {f"variant-{one}": one for one in known} | {f"language-{one}": one for one in languages}
    places = {f"place-{one}": one for one in known}
    form = validate_fields({name: one for name, one in pairs.items() if name not in {**ticked, **places}}, OfferForm)
    seat = await required_seat(request, Room.SETTINGS)
    try:
        order = {one: int(pairs.get(name, "99")) for name, one in places.items()}
    except ValueError:
        raise Problem(400, "bad_request", detail="A place is a number.") from None
    variants = tuple(sorted((one for one in known if f"variant-{one}" in pairs), key=lambda one: order[one]))
    spoken = tuple(one for one in languages if f"language-{one}" in pairs)

    def decide(now: House) -> House:
        # All of them in the usual order also offers what a later release brings.
        chosen, said = () if variants == known else variants, () if spoken == languages else spoken
        return replace(now, variants=chosen, languages=said)

    read = await site.store.site_settings.read()
    if not variants or not spoken:
        problem = Problem(400, "no_language_offered" if variants else "no_variant_offered")
        return await show_offer(request, seat, decide(read.house), int(form.rev), problem)
    if not await change_house(site.store.site_settings, decide, seat.player, site.now(), int(form.rev)):
        now = await site.store.site_settings.read()
        house, conflict = decide(now.house), Problem(409, "settings_changed")
        return await show_offer(request, seat, house, now.rev, conflict, parts_of(changes_of(now.house, house)))
    await site.live.settings.refresh()
    return see_other(f"{OFFER}?done")
