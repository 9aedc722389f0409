"""Ratings and tallies in MongoDB.

MongoDB changes one document at a time, and a game counts in four: the perfs of both players, and the score of each
against the other. Each document counts the game once:

1. It has the game counted last (`last`) and the number of games counted (`taken`).
2. Before the next game replaces `last`, its effect is noted in `counted`, under game and document.
3. A game that is neither `last` nor noted is counted by compare-and-set on `taken`.

If `taken` is unchanged nothing came between, so what was read from `counted` still holds: no game is counted twice and
none is lost, wherever a process stops and however many do this at once. The game's mark (`UNCOUNTED`) is removed last;
while it is there the game is counted again, which changes nothing.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import Any

from server.games.rating import Rating
from server.rules.variant.pieces import Color
from server.storage.damage import Damage
from server.storage.errors import Duplicate, Unavailable
from server.storage.fields import Fields, flag, text
from server.storage.mongo.client import checked, insert
from server.storage.protocols.ratings import (
    MILLI,
    Category,
    FinishedGame,
    Leader,
    Perf,
    RatedOpponent,
    RatingChange,
    RatingChanges,
    Score,
    Tally,
    change_of,
    counted,
    from_fields,
    strongest,
    tally_of,
    to_fields,
)
from server.storage.summaries import finished_game_of

ESTABLISHED = "1"
PROVISIONAL = "0"
"""Parts of a leaderboard, by whether the rating was provisional after the last game, whatever it is now."""

NO_CHANGE: Fields = dict.fromkeys(("game", "color", "chart"), "") | dict.fromkeys(
    ("number", "before", "after", "doubt", "when"), 0
)
"""The fields of a last game that changed no rating."""


def perf_fields(perf: Perf) -> Fields:
    """A perf as it is stored, without the change by the last game."""
    fields = to_fields(perf)
    listed = perf.rating.games > 0
    part = PROVISIONAL if perf.rating.provisional else ESTABLISHED
    return {
        **fields,
        "board": f"{fields['category']}|{part}|{fields['value']:08d}" if listed else "",
        "lively": perf.rating.at if listed else 0,
    }


def perf_after(found: Fields | None, *, finished: FinishedGame, color: Color, strength: Rating) -> Fields:
    """The perf after the game. `strength`: the opponent's rating."""
    before = from_fields(found) if found is not None else Perf(finished.player(color), finished.category)
    after, change = counted(before, strength, finished, color)
    fields = perf_fields(after)
    if change is None:
        return {**fields, **NO_CHANGE}
    return {
        **fields,
        "game": finished.game,
        "color": color.letter,
        "number": change.number,
        "before": round(change.before * MILLI),
        "after": round(change.after * MILLI),
        "doubt": round(change.deviation * MILLI),
        "when": change.at,
        "chart": f"{after.player}|{after.category.key}|{change.number:08d}",
    }


def inherited(found: Fields | None, *, heir: str, theirs: Perf) -> Fields:
    """The perf of `heir`, whose rating stays, with the tally of `theirs` added, as stored."""
    mine = from_fields(found) if found is not None else Perf(heir, theirs.category)
    return {**perf_fields(replace(mine, tally=mine.tally + theirs.tally)), **NO_CHANGE}


def score_fields(found: Fields | None, *, player: str, opponent: str, tally: Tally) -> Fields:
    """The score of `player` against `opponent` after more games, as stored."""
    total = tally if found is None else tally_of(found) + tally
    return {
        "player": player,
        "opponent": opponent,
        "won": total.won,
        "drawn": total.drawn,
        "lost": total.lost,
        "often": f"{player}|{total.games:08d}",
        **NO_CHANGE,
    }


def score_of(one: Fields, opponent: Fields | None) -> Score:
    """The score against `opponent`, whose user's fields these are, None if unknown. Raises as `fields` says."""
    name = None if opponent is None else text(opponent, "name")
    return Score(one["opponent"], name, opponent is not None and not flag(opponent, "guest"), tally_of(one))


def change_of_note(note: Fields) -> RatingChange:
    """The rating change of a note. Raises as `fields` says."""
    return change_of({**note, "deviation": note["doubt"], "at": note["when"]})


def rated_opponent_of(note: Fields) -> RatedOpponent:
    """Whom a note is about, with their name besides. Raises as `fields` says."""
    return RatedOpponent(text(note, "game"), text(note, "name"), change_of_note(note))


UNCOUNTED = "uncounted"
"""A field of a game: 1 until it has been counted."""
TRIES = 50
RESULTS = ["1-0", "0-1", "1/2-1/2"]


class MongoRatings:
    """A `RatingStore`. Call `prepare` once before use."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._damage = damage
        self._games = database["games"]
        self._users = database["users"]
        self._accounts = database["accounts"]
        self._perfs = database["standings"]
        self._scores = database["scores"]
        self._counted = database["counted"]
        self._filled = database["filled"]

    async def prepare(self) -> None:
        """Marks games that ended before any was counted. Raises Unavailable."""
        if await checked(self._filled.find_one({"_id": "ratings"})) is None:
            over = {"status": "over", "result": {"$in": RESULTS}}
            await checked(self._games.update_many(over, {"$set": {UNCOUNTED: 1}}))
            await checked(self._filled.update_one({"_id": "ratings"}, {"$set": {"done": 1}}, upsert=True))

    async def uncounted(self, limit: int, but: Set[str] = frozenset()) -> Sequence[FinishedGame]:
        found: Sequence[FinishedGame] = []
        # A page of unreadable games only is not the end.
        while not found and (heads := await self._uncounted(limit, but)):
            found = self._damage.readable("games", heads, finished_game_of)
            but = but | {head["_id"] for head in heads}
        return found

    async def _uncounted(self, limit: int, but: Set[str]) -> Sequence[Fields]:
        wanted = {UNCOUNTED: 1, **({"_id": {"$nin": sorted(but)}} if but else {})}
        found: Sequence[Fields] = await checked(
            self._games.find(wanted, {"moves": 0, "tokens": 0}).limit(limit).to_list(limit)
        )
        return found

    async def count(self, finished: FinishedGame) -> None:
        if await checked(self._games.find_one({"_id": finished.game, UNCOUNTED: 1}, {"_id": 1})) is None:
            return
        with self._damage.noted("standings", f"of {finished.white} or {finished.black}"):
            for color in Color:
                if finished.player(color):
                    await self._count_for(finished, color)
        await checked(self._games.update_one({"_id": finished.game}, {"$set": {UNCOUNTED: 0}}))

    async def _count_for(self, finished: FinishedGame, color: Color) -> None:
        player, opponent = finished.player(color), finished.player(color.other)
        strength = await self._rating_before(finished, opponent) if finished.rated else Rating()
        played = partial(perf_after, finished=finished, color=color, strength=strength)
        await self._take_in(self._perfs, f"{player}|{finished.category.key}", finished.game, played)
        if opponent:
            met = partial(score_fields, player=player, opponent=opponent, tally=Tally().after(finished.score(color)))
            await self._take_in(self._scores, f"{player}|{opponent}", finished.game, met)

    async def _rating_before(self, finished: FinishedGame, player: str) -> Rating:
        """The rating of `player` before the game, even if their side has been counted."""
        key = f"{player}|{finished.category.key}"
        found = await checked(self._perfs.find_one({"_id": key}))
        if found is not None:
            await self._note(found)
        done = await checked(self._counted.find_one({"_id": f"{finished.game}|{key}"}))
        if done is not None:
            before = change_of_note(done)
            return Rating(before.before, before.deviation, games=before.number, at=finished.at)
        return from_fields(found).rating if found is not None else Rating()

    async def _take_in(self, collection: Any, key: str, token: str, step: Callable[[Fields | None], Fields]) -> None:
        """Replaces the document `key` by the result of `step` (given None if new), once for each `token`."""
        for _ in range(TRIES):
            found = await checked(collection.find_one({"_id": key}))
            if found is not None:
                # Even if it is this game: so its change can be read as soon as it is counted.
                await self._note(found)
                if found["last"] == token:
                    return
            if await checked(self._counted.find_one({"_id": f"{token}|{key}"}, {"_id": 1})) is not None:
                return
            after = {**step(found), "last": token}
            if await self._replaced(collection, key, found, after):
                await self._note({"_id": key, **after})
                return
        raise Unavailable("Too many games of one person end at once.")

    async def _replaced(self, collection: Any, key: str, found: Fields | None, after: Fields) -> bool:
        if found is None:
            try:
                await insert(collection, {"_id": key, **after, "taken": 1})
            except Duplicate:
                return False
            return True
        taken = found["taken"]
        done = await checked(
            collection.update_one({"_id": key, "taken": taken}, {"$set": {**after, "taken": taken + 1}})
        )
        return bool(done.matched_count)

    async def _note(self, document: Fields) -> None:
        """Notes the effect of the game that `document` counted last. Repeating it changes nothing."""
        note = {name: document[name] for name in ("player", *NO_CHANGE)}
        one = {"_id": f"{document['last']}|{document['_id']}"}
        await checked(self._counted.update_one(one, {"$set": note}, upsert=True))

    async def changes(self, game_id: str) -> RatingChanges:
        found = await checked(self._counted.find({"game": game_id}).limit(2).to_list(2))
        return {change.color: change for change in self._changes(found)}

    def _changes(self, notes: Sequence[Fields]) -> Sequence[RatingChange]:
        return self._damage.readable("changes", notes, change_of_note)

    async def perf(self, player: str, category: Category) -> Perf:
        found = await checked(self._perfs.find_one({"_id": f"{player}|{category.key}"}))
        with self._damage.noted("standings", f"{player} {category.key}"):
            return Perf(player, category) if found is None else from_fields(found)

    async def perfs(self, player: str) -> Sequence[Perf]:
        found = await checked(self._perfs.find({"player": player}).to_list(None))
        return self._damage.readable("standings", found, from_fields)

    async def perfs_of(self, players: Set[str]) -> Sequence[Perf]:
        among = {"player": {"$in": sorted(players)}, "rated": {"$gt": 0}}
        found = await checked(self._perfs.find(among).to_list(None))
        return self._damage.readable("standings", found, from_fields)

    async def history(self, player: str, category: Category, limit: int) -> Sequence[RatingChange]:
        chart = f"{player}|{category.key}|"
        found = self._counted.find({"chart": {"$gte": chart, "$lt": f"{chart}~"}})
        return self._changes((await checked(found.sort("chart", -1).limit(limit).to_list(limit)))[::-1])

    async def scores(self, player: str, limit: int) -> Sequence[Score]:
        often = {"often": {"$gte": f"{player}|", "$lt": f"{player}|~"}}
        found = await checked(self._scores.find(often).sort("often", -1).limit(limit).to_list(limit))
        people = await self._people([one["opponent"] for one in found if isinstance(one.get("opponent"), str)])
        return self._damage.readable("scores", found, lambda one: score_of(one, people.get(text(one, "opponent"))))

    async def strongest(self, player: str, games: Sequence[str], limit: int) -> Sequence[RatedOpponent]:
        noted = await checked(self._counted.find({"game": {"$in": list(games)}}).to_list(None)) if games else []
        theirs = [one for one in noted if one["player"] != player]
        people = await self._people(list({one["player"] for one in theirs}))
        there = [{**one, "name": people[one["player"]].get("name")} for one in theirs if one["player"] in people]
        return strongest(self._damage.readable("changes", there, rated_opponent_of), limit)

    async def leaders(self, category: Category, now: int, limit: int) -> Sequence[Leader]:
        found = await self._best(category, ESTABLISHED, {"sure_until": {"$gt": now}}, limit)
        if len(found) < limit:
            lapsed = await self._best(category, ESTABLISHED, {"sure_until": {"$lte": now}}, limit)
            rest = [*lapsed, *await self._best(category, PROVISIONAL, {}, limit)]
            found = [*found, *rest]
        perfs = self._damage.readable("standings", found, from_fields)
        # Some have become provisional since their last game: they come last.
        perfs.sort(key=lambda one: (one.rating.established_until <= now, -one.rating.value))
        perfs = perfs[:limit]
        people = await self._people([one.player for one in perfs])
        return [Leader(text(people[one.player], "name"), one) for one in perfs if one.player in people]

    async def _best(self, category: Category, part: str, wanted: Fields, limit: int) -> Sequence[Fields]:
        board = f"{category.key}|{part}|"
        found = self._perfs.find({"board": {"$gte": board, "$lt": f"{board}~"}, **wanted}).sort("board", -1)
        best: Sequence[Fields] = await checked(found.limit(limit).to_list(limit))
        return best

    async def _people(self, players: Sequence[str]) -> Mapping[str, Fields]:
        found = await checked(self._users.find({"_id": {"$in": list(players)}}).to_list(None)) if players else []
        return {one["_id"]: one for one in found}

    async def latest_category(self) -> Category | None:
        found = await checked(self._perfs.find({"lively": {"$gt": 0}}).sort("lively", -1).limit(10).to_list(10))
        categories = self._damage.readable("standings", found, lambda one: Category.from_key(text(one, "category")))
        return categories[0] if categories else None

    async def names_starting_with(self, prefix: str, limit: int) -> Sequence[str]:
        wanted = {"_id": {"$gte": prefix, "$lt": f"{prefix}~"}, "held_until": 0}
        found = await checked(self._accounts.find(wanted, {"name": 1}).sort("_id", 1).limit(limit).to_list(limit))
        return self._damage.readable("accounts", found, lambda one: text(one, "name"))

    async def forget(self, player: str) -> None:
        for collection in (self._perfs, self._scores, self._counted):
            await checked(collection.delete_many({"player": player}))

    async def hand_over(self, guest: str, heir: str) -> None:
        token = f"from {guest}"
        for theirs in await self.perfs(guest):
            key = f"{heir}|{theirs.category.key}"
            await self._take_in(self._perfs, key, token, partial(inherited, heir=heir, theirs=theirs))
        for one in await self._scores_with(guest):
            player, opponent = (heir if one[side] == guest else one[side] for side in ("player", "opponent"))
            if player != opponent:
                added = partial(score_fields, player=player, opponent=opponent, tally=tally_of(one))
                await self._take_in(self._scores, f"{player}|{opponent}", token, added)
        await checked(self._scores.delete_many({"opponent": guest}))
        await self.forget(guest)

    async def _scores_with(self, player: str) -> Sequence[Fields]:
        return [
            one
            for side in ("player", "opponent")
            for one in await checked(self._scores.find({side: player}).to_list(None))
        ]
