"""The commands of a reply, one a line, and nothing else: whatever is no command has the whole mail refused.

    Nf3                       the move, in any usual spelling
    if e5 then Nf3 if Nc6 then Bb5
                              conditional moves; all such lines of a mail are one tree, instead of what was prepared
    if off                    drop what was prepared
    draw                      offer a draw, or agree to one
    accept, decline           answer the opponent's offer, or withdraw an own one
    takeback                  ask to take the last move back
    rematch                   offer to play again, or agree to it
    pause                     ask to pause the game, or agree to it
    resume                    end the pause
    claim, claim draw         claim the win, or a draw, as the opponent's time is over
    abort                     end the game before both have moved, or withdraw a challenge
    resign GAMEID             resign; the site asks once more
    say words                 tell the opponent something; the words go on until an empty line
    preview Nf3 Nf6 g3        the board after these moves, which are not played
    show, show 12             the board as it stands, or after twelve half-moves
    show GAMEID               any game
    games                     all games that go on
    standings grand, ratings NAME, history NAME
                              the best players; somebody's ratings, and their last games
    challenge NAME grand 3 days white rated
                              ask somebody to play
    pair NAME NAME grand 3 days rated
                              propose a game to two others
    vacation until 2026-08-03, vacation off, vacation
                              be away through that day; be back; how many days are left
    help, help TOPIC          how to write such mails

Each word is understood in every language of the site (`command_words`). Knows no game: whether a move can be played is
decided where the position is known (`typed_moves`).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from server.games.state import OfferKind
from server.mail.inbound.reading.challenge_line import challenge_in, pairing_in
from server.mail.inbound.reading.command_words import command_words
from server.mail.inbound.reading.if_lines import conditional_in, unwrapped
from server.mail.inbound.reading.lines import MAX_LINE, MOVE, NotACommand, command_of, first_word, rest_of, short
from server.mail.inbound.reading.mail_commands import (
    ENQUIRIES,
    Abort,
    AnswerOffer,
    AskVacation,
    ClaimTime,
    Conditional,
    EndPause,
    Help,
    History,
    ListGames,
    MailCommand,
    MakeOffer,
    Move,
    Preview,
    Ratings,
    Resign,
    Say,
    Show,
    ShowGame,
    Standings,
    TakeVacation,
)

MAX_COMMANDS: Final = 10
MAX_CONDITIONAL: Final = 30
"""Lines of conditional moves."""
MAX_PREVIEW: Final = 40
LONGEST_NAME: Final = 40
SHOWN: Final = re.compile(r"(?P<game>\w{10})?(?:(?:^|[\s#]+)#?(?P<plies>\d{1,4}))?", re.ASCII)
"""A game's id, a number of half-moves, both, or nothing."""
LOOKS_LIKE_MOVE: Final = re.compile(
    r"(?:\d{1,4}\s*\.{1,3}\s*)?(?:[0Oo]\W[0Oo].*|[^\W\d_]?@?[a-p]?\d{0,2}\s?[x:–—‐‑-]?\s?[a-p]\d{1,2}\b.{0,6})"
    r"[+#!?]*\.?$",
    re.IGNORECASE,
)


def read_commands(lines: Sequence[str]) -> tuple[MailCommand, ...]:
    """The commands of a reply. Raises NotACommand, also if there are none.

    A long one takes some 50 ms, so it is called beside the event loop.
    """
    commands: list[MailCommand] = []
    saying: list[str] = []
    for line in (*unwrapped(lines), ""):
        if saying:
            if line:
                if is_command(line):
                    raise NotACommand("say_goes_on", line=short(line))
                saying.append(line)
                continue
            commands.append(Say("\n".join(saying)))
            saying = []
        elif command_of(line) == "say":
            saying.append(line[len(first_word(line)) :].lstrip(" :"))
        elif line:
            commands.append(_command(line))
    return _checked(commands)


def is_command(line: str) -> bool:
    """Could this line by itself be meant as a command?"""
    return (command_of(line) in WORDS and len(line.split()) <= 2) or LOOKS_LIKE_MOVE.match(line) is not None


def _checked(read: Sequence[MailCommand]) -> tuple[MailCommand, ...]:
    """The commands, with all lines of conditional moves as one of them, in the place of the first."""
    lines = [line for one in read if isinstance(one, Conditional) for line in one.lines]
    first = next((one for one in read if isinstance(one, Conditional)), None)
    commands = [
        Conditional(tuple(lines)) if one is first else one
        for one in read
        if one is first or not isinstance(one, Conditional)
    ]
    commands = list(_asked_once(commands))
    if not commands:
        raise NotACommand("says_nothing")
    if len(commands) > MAX_COMMANDS:
        raise NotACommand("too_many_commands", most=MAX_COMMANDS)
    if sum(isinstance(one, Move) for one in commands) > 1:
        raise NotACommand("two_moves")
    if len(lines) > MAX_CONDITIONAL:
        raise NotACommand("if_too_many", most=MAX_CONDITIONAL)
    if lines and Conditional(()) in read:
        raise NotACommand("if_off_and_on")
    return tuple(commands)


def _asked_once(commands: Iterable[MailCommand]) -> Iterator[MailCommand]:
    """What is asked twice is answered once: some answers are long."""
    asked: set[MailCommand] = set()
    for one in commands:
        if one not in asked:
            yield one
        if isinstance(one, ENQUIRIES):
            asked.add(one)


def _command(line: str) -> MailCommand:
    if len(line) > MAX_LINE:
        raise NotACommand("not_understood", line=short(line))
    make = WORDS.get(command_of(line))
    if make is not None:
        return make(line)
    if (move := MOVE.fullmatch(line)) is not None:
        return Move(move["move"])
    raise NotACommand("not_understood", line=short(line))


def _alone(command: MailCommand) -> Callable[[str], MailCommand]:
    """Reads a word after which nothing may stand but a full stop."""

    def read(line: str) -> MailCommand:
        if rest_of(line):
            raise NotACommand("not_understood", line=short(line))
        return command

    return read


def _resign(line: str) -> Resign:
    if re.fullmatch(r"\w{1,20}", rest_of(line)) is None:
        raise NotACommand("resign_which")
    return Resign(rest_of(line))


def _preview(line: str) -> Preview:
    moves = tuple(word for word in rest_of(line).split() if re.fullmatch(r"\d+\.*", word) is None)
    if not 0 < len(moves) <= MAX_PREVIEW:
        raise NotACommand("preview_which", most=MAX_PREVIEW)
    return Preview(moves)


def _show(line: str) -> Show | ShowGame:
    found = SHOWN.fullmatch(rest_of(line))
    if found is None:
        raise NotACommand("show_which")
    plies = int(found["plies"]) if found["plies"] else None
    return ShowGame(found["game"], plies) if found["game"] else Show(plies)


def _standings(line: str) -> Standings:
    if not 0 < len(rest_of(line)) <= LONGEST_NAME:
        raise NotACommand("standings_which")
    return Standings(rest_of(line))


def _about(make: Callable[[str], MailCommand]) -> Callable[[str], MailCommand]:
    """Reads a word after which a player's name stands."""

    def read(line: str) -> MailCommand:
        if re.fullmatch(r"[\w-]{1,40}", rest_of(line)) is None:
            raise NotACommand("about_whom", line=short(line))
        return make(rest_of(line))

    return read


def _vacation(line: str) -> TakeVacation | AskVacation:
    known, (first, *more) = command_words(), (rest_of(line).lower().split() or [""])
    if not first:
        return AskVacation()
    if known.get(first) == "off" and not more:
        return TakeVacation(None)
    written = more[-1:] if known.get(first) == "until" else [first, *more]
    try:
        (day,) = written
        return TakeVacation(date.fromisoformat(day))
    except ValueError:
        raise NotACommand("vacation_which") from None


def _claim(line: str) -> ClaimTime:
    what = rest_of(line).lower()
    if what and command_words().get(what) != "draw":
        raise NotACommand("not_understood", line=short(line))
    return ClaimTime(as_draw=bool(what))


def _help(line: str) -> Help:
    topic = rest_of(line)[:LONGEST_NAME].lower()
    return Help(command_words().get(topic, topic))


def _move(line: str) -> Move:
    found = MOVE.fullmatch(rest_of(line))
    if found is None:
        raise NotACommand("not_understood", line=short(line))
    return Move(found["move"])


WORDS: Final[Mapping[str, Callable[[str], MailCommand]]] = {
    "if": conditional_in,
    "draw": _alone(MakeOffer(OfferKind.DRAW)),
    "takeback": _alone(MakeOffer(OfferKind.TAKEBACK)),
    "rematch": _alone(MakeOffer(OfferKind.REMATCH)),
    "pause": _alone(MakeOffer(OfferKind.PAUSE)),
    "resume": _alone(EndPause()),
    "accept": _alone(AnswerOffer(accepts=True)),
    "decline": _alone(AnswerOffer(accepts=False)),
    "claim": _claim,
    "abort": _alone(Abort()),
    "resign": _resign,
    "preview": _preview,
    "show": _show,
    "games": _alone(ListGames()),
    "standings": _standings,
    "ratings": _about(Ratings),
    "history": _about(History),
    "challenge": challenge_in,
    "pair": pairing_in,
    "vacation": _vacation,
    "help": _help,
    "move": _move,
}
