"""Defences of games against what players do at once or again, switched off."""

from tests.faults.mutant import Mutant

RACES = "tests/faults/races"
OFFERS = "server/games/offers.py"

OF_GAMES: tuple[Mutant, ...] = (
    Mutant(
        "an offer is accepted whatever its number",
        OFFERS,
        "        if standing.id == offer_id:\n",
        "        if True:\n",
        f"{RACES}/test_offers.py",
    ),
    Mutant(
        "a rematch agreed on is offered anew",
        OFFERS,
        "    if kind is OfferKind.REMATCH and game.next is not None:\n",
        "    if False:\n",
        f"{RACES}/test_offers.py",
    ),
    Mutant(
        "draws are offered without end",
        OFFERS,
        "            if last >= 0 and not any(",
        "            if last < -1 and not any(",
        f"{RACES}/test_offers.py",
    ),
    Mutant(
        "a granted takeback leaves other offers open",
        OFFERS,
        "            game, events = close_offers(game)\n            game = after_takeback",
        "            events = ()\n            game = after_takeback",
        f"{RACES}/test_takebacks.py",
    ),
    Mutant(
        "a game that is over takes commands",
        "server/games/game.py",
        "    check_taken(game.status, command)\n",
        "",
        f"{RACES}/test_endings.py",
    ),
    Mutant(
        "one's own challenge can be taken",
        "server/games/beginning.py",
        "    if seated:\n        raise OwnChallenge",
        "    if False:\n        raise OwnChallenge",
        f"{RACES}/test_seats.py",
    ),
    Mutant(
        "any secret opens a seat",
        "server/games/beginning.py",
        "            case str() if compare_digest(invite.encode(), command.invite_hash.encode()):\n",
        "            case str():\n",
        "tests/faults/access/test_guessing.py::test_no_guess_opens_a_challenge",
    ),
    Mutant(
        "who has closed every page can still be paired",
        "server/realtime/lobby.py",
        "            self._node.background.spawn(self._leases.left(listener.player))\n",
        "            pass\n",
        "tests/realtime/test_lobby.py",
    ),
    Mutant(
        "who was there before a restart is there after it",
        "server/realtime/seek_leases.py",
        "        if self._node.bus.alone:\n",
        "        if False:\n",
        "tests/realtime/test_lobby_faults.py",
    ),
    Mutant(
        "a withdrawn seek is taken",
        "server/realtime/lobby.py",
        "        if not await self._node.store.seeks.take(seek.id, pairing, known, beyond):\n",
        "        await self._node.store.seeks.take(seek.id, pairing, known, beyond)\n        if False:\n",
        f"{RACES}/test_seats.py",
    ),
    Mutant(
        "watchers talk to players",
        "server/realtime/audience.py",
        "        players = said if views.may_read(line, self.game, Color.WHITE) else nothing\n",
        "        players = said\n",
        "tests/faults/input/test_texts.py",
    ),
    Mutant(
        "chat is shown as it was written",
        "server/realtime/chatting.py",
        "        line = clean(text)\n",
        "        line = text\n",
        "tests/faults/input/test_texts.py",
    ),
    Mutant(
        "a mark may stand without a letter",
        "server/realtime/chatting.py",
        " or not kept or kept[-1].isspace():",
        " or not kept:",
        "tests/faults/input/test_texts.py",
    ),
    Mutant(
        "a message may hold other types",
        "server/realtime/wire.py",
        'extra="forbid", strict=True',
        'extra="forbid", strict=False',
        "tests/faults/input/test_documents.py::test_odd_documents_are_read_as_they_are_or_refused",
    ),
    Mutant(
        "a message may hold a key twice",
        "server/realtime/codec.py",
        "    if repeated:\n",
        "    if False:\n",
        "tests/faults/input/test_documents.py::test_odd_documents_are_read_as_they_are_or_refused",
    ),
    Mutant(
        "a tag of a PGN is written as it is",
        "server/rules/pgn_tags.py",
        """    return one_line.replace("\\\\", "\\\\\\\\").replace('"', '\\\\"')\n""",
        "    return one_line\n",
        "tests/faults/input/test_records.py",
    ),
    Mutant(
        "the tags of a PGN are without number",
        "server/rules/pgn_tags.py",
        "        if count > MAX_TAGS:\n",
        "        if False:\n",
        "tests/rules/test_pgn_round_trip.py::test_what_is_too_much_is_refused_with_the_reason",
    ),
    Mutant(
        "a tag of a PGN is as long as it likes",
        "server/rules/pgn_tags.py",
        "        if len(value[0]) > LONGEST_VALUE:\n",
        "        if False:\n",
        "tests/rules/test_pgn_round_trip.py::test_what_is_too_much_is_refused_with_the_reason",
    ),
    Mutant(
        "the notes of a PGN are without end",
        "server/rules/pgn_movetext.py",
        "        if self.left < 0:\n",
        "        if False:\n",
        "tests/rules/test_pgn_round_trip.py::test_what_is_too_much_is_refused_with_the_reason",
    ),
    Mutant(
        "GIFs have no limit of their own",
        "server/web/pictures/answers.py",
        "    if beside is not None and not studio.has(tag):\n",
        "    if False:\n",
        "tests/web/test_pictures.py::test_gifs_have_a_limit_of_their_own_and_those_that_are_drawn_are_free",
    ),
)
