"""The letter that tells somebody of their turn: what was played, the board, the time left, how to answer. Pure.

All letters about a game are one thread, and each has the same id whenever it is written again.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from server.games.game import Game
from server.games.player import Player
from server.games.state import OfferKind
from server.language import Language
from server.mail.composing import Letter, Reply
from server.mail.tokens import mark_of
from server.rules.variant.pieces import Color
from server.web.notifications.messages import time_left
from server.web.pictures.text_board import last_moves, text_of
from server.web.variant_words import Names


@dataclass(frozen=True, slots=True)
class Links:
    """Addresses of pages: the game, and where one POST, or one button, ends such mail."""

    game: str
    unsubscribe: str


def turn_letter(
    game: Game, rev: int, to: str, language: Language, called: Names, now: int, links: Links, reply: Reply | None
) -> Letter:
    """To the mailbox `to` of the player whose turn began with revision `rev`. `called`: the variant's names."""
    color = game.to_move
    opponent = opponent_of(game, color, language)
    return Letter(
        to=to,
        subject=language.plain("mail.turn_subject", name=opponent, variant=called.of_form(game.terms.chess960).name),
        lines=tuple(_lines(game, language, called, now, links)),
        id=f"{game.id}.{len(game.plies)}.{rev}.{mark_of(to)[:12]}",
        at=now,
        language=language.code,
        thread=game.id,
        unsubscribe=links.unsubscribe,
        reply=reply,
    )


def opponent_of(game: Game, color: Color, language: Language) -> str:
    opponent: Player | None = game.player(color.other)
    return language.person(opponent.name) if opponent else "?"


def _lines(game: Game, language: Language, called: Names, now: int, links: Links) -> Iterator[str]:
    opponent = opponent_of(game, game.to_move, language)
    if move := last_moves(game, 1):
        yield language.plain("mail.turn_played", name=opponent, move=move)
    else:
        yield language.plain("mail.turn_begun", name=opponent)
    if game.deadline is not None:
        left = time_left(max(0, game.deadline - now), language)
        yield language.plain("mail.turn_left", left=left)
    if any(offer.kind is OfferKind.DRAW and offer.by is game.to_move.other for offer in game.offers):
        yield language.plain("mail.turn_draw", name=opponent)
    yield ""
    yield from text_of(game, language, called, now)
    yield ""
    yield language.plain("mail.turn_answer", link=links.game)
    yield language.plain("mail.turn_end", link=links.unsubscribe)
