"""What the page of a section shows, where everyone plays everyone by correspondence: the table of who has beaten whom,
the reader's own line and games, and the other sections of the event. It needs no script: what happens there takes days.
"""

from collections.abc import Sequence
from typing import Final

from typing_extensions import TypedDict

from server.games.tournaments.robin import winner_who_goes_on
from server.games.tournaments.tournament import (
    Entrant,
    Pairing,
    Played,
    Scoring,
    Sheet,
    Standing,
    Tournament,
    WaitReason,
    results_by_person,
    withdrawn_early,
)
from server.language import Language
from server.realtime.tournaments import TournamentView
from server.storage.running import RunningGame

COUNTED: Final = frozenset({"wins", "won", "blacks"})
"""Tie-breaks that are numbers of games."""
FRACTIONS: Final = ("", "¼", "½", "¾")


class CrossCell(TypedDict):
    """One game in the table. `kind`: as `Cell` in `web.tournaments` has it, or `call`: it waits for the reader."""

    game: str
    kind: str
    points: str
    words: str


class CrossRow(TypedDict):
    """One person. `cells`: for each place in the table the games against whoever is there; none against oneself."""

    place: int
    name: str
    rating: str
    cells: list[list[CrossCell]]
    points: str
    tie: str
    over: str
    me: bool


class OwnGame(TypedDict):
    """A game of the reader that is in play."""

    game: str
    name: str
    words: str
    mine: bool


class SectionLine(TypedDict):
    """The reader's own line. `acts`: what they can do; `to`: where the button leads that is not a form, as address and
    words, both "" for nowhere.
    """

    kind: str
    place: str
    of: str
    points: str
    title: str
    text: str
    acts: list[str]
    to: tuple[str, str]
    sign_in: bool


class OtherSection(TypedDict):
    """Another section of the event."""

    id: str
    words: str
    state: str
    here: bool


class SectionFacts(TypedDict):
    """All that the page shows. `clock`: how far it is."""

    rows: list[CrossRow]
    begun: bool
    free: int
    withdrawn: str
    mine: SectionLine
    games: list[OwnGame]
    sections: list[OtherSection]
    clock: str
    clock_words: str


def section_facts(
    language: Language,
    view: TournamentView,
    person: str,
    running: Sequence[RunningGame],
    sections: Sequence[Tournament],
) -> SectionFacts:
    """The section as `person` (an id, "" for nobody) sees it. `running`: their games in play, the most urgent first;
    `sections`: all of the event.
    """
    begun, terms = bool(view.pairings), view.tournament.terms
    own = {pairing.game for pairing in view.under_way if person in (pairing.white, pairing.black)}
    mine = [game for game in running if game.id in own]
    urgent = {game.id for game in mine if game.waits}
    done = len(view.pairings) - len(view.under_way)
    early = (
        withdrawn_early(view.tournament, view.entrants, results_by_person(view.results.values()))
        if begun
        else frozenset()
    )
    seated = {one for pairing in view.pairings.values() for one in (pairing.white, pairing.black)}
    names = sorted(view.entrants[one].person.name for one in early & seated if one in view.entrants)
    n, of = (done, len(view.pairings)) if begun else (len(view.sheets), terms.size)
    return SectionFacts(
        rows=[row_of(language, view, sheet, person, urgent) for sheet in view.sheets],
        begun=begun,
        free=max(0, terms.size - len(view.sheets)),
        withdrawn=", ".join(language.person(name) for name in names),
        mine=own_line(language, view, person, mine, sections),
        games=[own_game_of(language, game) for game in mine],
        sections=[other_section(language, one, view) for one in sections],
        clock=language.plain("tournaments.n_of", n=min(n, of), of=of),
        clock_words=language.plain("tournaments.games_over" if begun else "tournaments.have_entered"),
    )


def row_of(language: Language, view: TournamentView, sheet: Sheet, person: str, urgent: set[str]) -> CrossRow:
    """One row. `urgent`: the games (ids) in which it is the reader's move."""
    entrant, cells = sheet.entrant, []
    for other in view.sheets:
        both = {sheet.person, other.person}
        played = [cell_of(language, sheet, other, one) for one in sheet.played if one.opponent == other.person]
        on = [one for one in view.under_way if {one.white, one.black} == both]
        cells.append([*played, *(running_cell(language, sheet, other, one, urgent) for one in on)])
    return CrossRow(
        place=view.places[sheet.person] + 1,
        name=entrant.person.name,
        rating=f"{entrant.rating}{'?' if entrant.provisional else ''}",
        cells=cells,
        points=half_words(sheet.points),
        tie=quarter_words(sheet.ties[0]) if sheet.ties else "",
        over=language.plain("tournaments.n_of", n=len(sheet.played), of=view.tournament.terms.games_each),
        me=sheet.person == person,
    )


def cell_of(language: Language, sheet: Sheet, other: Sheet, played: Played) -> CrossCell:
    """A game that is over, from the side of whose row it is in."""
    kind = "w" if played.won else "d" if played.drawn else "l"
    how = "absent" if played.absent else {"w": "won", "d": "drawn", "l": "lost"}[kind]
    points = ("+" if played.won else "−") if played.absent else half_words(played.points)
    return CrossCell(game=played.game, kind=kind, points=points, words=cell_words(language, sheet, other, how))


def running_cell(language: Language, sheet: Sheet, other: Sheet, pairing: Pairing, urgent: set[str]) -> CrossCell:
    """A game that is in play."""
    mine = pairing.game in urgent
    words = cell_words(language, sheet, other, "your_move" if mine else "on")
    return CrossCell(game=pairing.game, kind="call" if mine else "run", points="", words=words)


def cell_words(language: Language, sheet: Sheet, other: Sheet, how: str) -> str:
    """ "Anna against Ben: won"."""
    return language.plain(
        "tournaments.cell_against",
        name=language.person(sheet.entrant.person.name),
        other=language.person(other.entrant.person.name),
        result=language.plain(f"tournaments.cell_{how}"),
    )


def own_game_of(language: Language, game: RunningGame) -> OwnGame:
    """A game of the reader's that is in play."""
    name = language.person(game.opponent or "?")
    words = language.plain("tournaments.cell_your_move" if game.waits else "tournaments.cell_their_move", name=name)
    return OwnGame(game=game.id, name=name, words=words, mine=game.waits)


def own_line(
    language: Language, view: TournamentView, person: str, mine: Sequence[RunningGame], sections: Sequence[Tournament]
) -> SectionLine:
    """What the reader is told on top, and what they can do."""
    tournament, entrant, at = view.tournament, view.entrants.get(person), view.places.get(person)
    begun = bool(view.pairings)
    title, text, acts, to = situation(language, view, entrant, mine, sections)
    shown = at is not None and begun
    return SectionLine(
        kind="waits" if any(game.waits for game in mine) else "on" if "leave" in acts else "",
        place=language.plain("tournaments.place_nth", n=at + 1) if shown and at is not None else "",
        of=language.plain("tournaments.place_of", n=len(view.sheets)) if shown else "",
        points=points_of(language, view.sheets[at]) if shown and at is not None else "",
        title=title,
        text=text,
        acts=acts if person else [],
        to=to,
        sign_in=not person and tournament.is_open_section and not begun and tournament.stage == 1,
    )


def situation(
    language: Language,
    view: TournamentView,
    entrant: Entrant | None,
    mine: Sequence[RunningGame],
    sections: Sequence[Tournament],
) -> tuple[str, str, list[str], tuple[str, str]]:
    """How things stand for somebody: a title and a sentence, what they can do, and where else they are led."""
    tournament, say = view.tournament, language.plain
    nowhere = ("", "")
    if tournament.over:
        return (*over_words(language, view, entrant), [], next_stage(language, view, entrant))
    if entrant is not None and entrant.standing is Standing.OUT:
        return say("tournaments.wait_out"), say("tournaments.wait_out_text"), [], nowhere
    if view.pairings:
        seated = entrant is not None and any(entrant.person.id in (p.white, p.black) for p in view.pairings.values())
        if entrant is not None and seated:
            return playing(language, view, entrant, mine, sections)
        return full(language, tournament, sections, "section_full")
    if entrant is None or entrant.has_withdrawn:
        if tournament.stage > 1 and entrant is None:
            return say("tournaments.enter_winners"), say("tournaments.enter_winners_text"), [], nowhere
        days = say("tournaments.days_n", n=tournament.terms.control.days)
        games, of = tournament.terms.games_each, tournament.terms.size
        text = say("tournaments.enter_text", of=of, games=games, days=days)
        return say("tournaments.enter_title"), text, ["join"], nowhere
    wait = view.wait_of(entrant.person.id, tournament.terms.starts)
    key = "wait_banned" if wait.reason is WaitReason.BANNED else "wait_not_full" if wait.others else "wait_not_full_now"
    return say(f"tournaments.{key}"), say(f"tournaments.{key}_text", n=wait.others), ["leave"], nowhere


def playing(
    language: Language,
    view: TournamentView,
    entrant: Entrant,
    mine: Sequence[RunningGame],
    sections: Sequence[Tournament],
) -> tuple[str, str, list[str], tuple[str, str]]:
    """How things stand for somebody who plays in the section, or has withdrawn from it."""
    say = language.plain
    if entrant.has_withdrawn:
        return full(language, view.tournament, sections, "withdrawn_mine")
    if not mine:
        text = say("tournaments.all_played_text", n=len(view.under_way))
        return say("tournaments.all_played"), text, [], ("", "")
    urgent = [game for game in mine if game.waits]
    if not urgent:
        return say("tournaments.their_moves"), say("tournaments.their_moves_text"), ["withdraw"], ("", "")
    to = (f"/{urgent[0].id}", say("tournaments.to_game"))
    return say("tournaments.your_moves", n=len(urgent)), say("tournaments.your_moves_text"), ["withdraw"], to


def full(
    language: Language, tournament: Tournament, sections: Sequence[Tournament], title: str
) -> tuple[str, str, list[str], tuple[str, str]]:
    """That there is no place here (any more), and where there is."""
    say = language.plain
    there = next((one for one in sections if one.is_open_section and one.stage == 1 and one.id != tournament.id), None)
    if there is None:
        return say(f"tournaments.{title}"), say("tournaments.section_full_none"), [], ("", "")
    to = (f"/tournament/{there.id}", say("tournaments.to_open"))
    return say(f"tournaments.{title}"), say("tournaments.section_full_text"), [], to


def over_words(language: Language, view: TournamentView, entrant: Entrant | None) -> tuple[str, str]:
    """What is said once the section is over."""
    say, tournament = language.plain, view.tournament
    if tournament.called_off:
        return say("tournaments.over_called_off"), say("tournaments.over_called_off_text")
    winner, led_on = tournament.winner, is_led_on(view, entrant)
    if led_on and entrant is not None and winner is not None and winner.id == entrant.person.id:
        return say("tournaments.led_on"), say("tournaments.led_on_text")
    at = None if entrant is None else view.places.get(entrant.person.id)
    if at is not None:
        place = say("tournaments.place_nth", n=at + 1)
        text = say("tournaments.led_on_text") if led_on else points_of(language, view.sheets[at])
        return say("tournaments.over_place", place=place), text
    text = "" if winner is None else say("tournaments.over_winner", name=language.person(winner.name))
    return say("tournaments.over_not_in"), text


def is_led_on(view: TournamentView, entrant: Entrant | None) -> bool:
    """Is it they who go on to the next stage? Whoever has won and withdrawn does not."""
    first = winner_who_goes_on(view.sheets) if view.tournament.led_to else None
    return first is not None and entrant is not None and first.person == entrant.person.id


def next_stage(language: Language, view: TournamentView, entrant: Entrant | None) -> tuple[str, str]:
    """Where the one is led who goes on."""
    if not is_led_on(view, entrant):
        return "", ""
    return f"/tournament/{view.tournament.led_to}", language.plain("tournaments.to_next_stage")


def points_of(language: Language, sheet: Sheet) -> str:
    """ "3½ points · 5 games"."""
    whole = 1 if sheet.points == 2 else 0
    points = language.plain("tournaments.points", n=whole, points=half_words(sheet.points))
    return f"{points} · {language.plain('tournaments.games', n=len(sheet.played))}"


def other_section(language: Language, section: Tournament, view: TournamentView) -> OtherSection:
    """A section in the list of all of the event."""
    here = view.tournament
    if section.is_open_section and not (section.id == here.id and view.pairings):
        state = language.plain("tournaments.section_open")
    elif not section.over:
        state = language.plain("tournaments.section_on")
    elif section.winner is not None:
        state = language.plain("tournaments.won_by", name=language.person(section.winner.name))
    else:
        state = language.plain("tournaments.called_off" if section.called_off else "tournaments.nobody_played")
    key = "tournaments.section_stage_n" if here.terms.go_on else "tournaments.section_n"
    words = language.plain(key, stage=section.stage, n=section.section)
    return OtherSection(id=section.id, words=words, state=state, here=section.id == here.id)


def section_name(language: Language, tournament: Tournament) -> str:
    """What a tournament is called: a section with its number."""
    if not tournament.section:
        return tournament.terms.name
    key = "tournaments.section_stage" if tournament.stage > 1 else "tournaments.section_of"
    return language.plain(key, name=tournament.terms.name, stage=tournament.stage, n=tournament.section)


def points_words(points: int, scoring: Scoring) -> str:
    """Points as a table writes them; with the plain scoring they are halves."""
    return half_words(points) if scoring is Scoring.PLAIN else str(points)


def tie_words(name: str, value: int) -> str:
    """What somebody has in a tie-break (`swiss.CHOICES`): quarters of a point, a number, or halves."""
    if name == "sonneborn":
        return quarter_words(value)
    return str(value) if name in COUNTED else half_words(value)


def half_words(points: int) -> str:
    """Halves of a point as a table writes them."""
    return quarter_words(2 * points)


def quarter_words(points: int) -> str:
    """The same of quarters."""
    whole, rest = divmod(points, 4)
    return f"{whole or '' if rest else whole}{FRACTIONS[rest]}"
