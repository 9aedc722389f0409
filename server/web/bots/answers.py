"""The shapes of the Bot API's answers, as lichess names their fields. No logic."""

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

Side = Literal["white", "black"]


class Done(TypedDict):
    ok: Literal[True]


class Unsaid(TypedDict):
    """A message that was left out, as there were too many in a row, or the same twice."""

    ok: Literal[False]
    error: str


class VariantTag(TypedDict):
    """A variant by the name that a PGN has for it."""

    key: str
    name: str
    short: str


class BotSummary(TypedDict):
    """Somebody with an account. `title`: BOT, absent for people. `online`: absent for who is not here."""

    id: str
    username: str
    name: str
    title: NotRequired[str]
    online: NotRequired[bool]


class PerfJson(TypedDict):
    """A rating. `rd`: its deviation. `prog`: not reckoned here, 0. `prov`: it is provisional."""

    games: int
    rating: int
    rd: int
    prog: int
    prov: bool


class BotProfile(TypedDict):
    """`perfs`: by speed for the standard variant, by variant for the others."""

    id: str
    username: str
    name: str
    title: NotRequired[str]
    perfs: dict[str, PerfJson]
    createdAt: int
    url: str


class TestedToken(TypedDict):
    """Whose token it is. `scopes`: with commas between them."""

    userId: str
    scopes: str
    expires: None


class BotSeat(TypedDict):
    """A player. `aiLevel`: of the computer, which has no id. `title`: BOT, null or absent for people."""

    id: str
    name: str
    title: NotRequired[str | None]
    aiLevel: NotRequired[int]
    rating: NotRequired[int]
    provisional: NotRequired[bool]


class BotOpponent(TypedDict):
    """The other player. `ai`: the level of the computer, which has no id and no rating."""

    id: str | None
    username: str
    rating: NotRequired[int]
    ai: NotRequired[int]


class StatusJson(TypedDict):
    id: int
    name: str


class Winner(TypedDict):
    winner: NotRequired[Side]


class TournamentIds(TypedDict):
    """The tournament of a game: an arena, or a Swiss."""

    tournamentId: NotRequired[str]
    swissId: NotRequired[str]


class BotGame(Winner, TournamentIds):
    """A game as its player sees it. `status`: its name alone in a list of games. `secondsLeft`: of their own."""

    fullId: str
    gameId: str
    id: str
    fen: str
    color: Side
    lastMove: str
    source: str
    status: StatusJson | str
    variant: VariantTag
    speed: str
    perf: str
    rating: NotRequired[int]
    rated: bool
    hasMoved: bool
    opponent: BotOpponent
    isMyTurn: bool
    secondsLeft: int
    compat: dict[str, bool]


class PlayingJson(TypedDict):
    nowPlaying: list[BotGame]
    nbMyTurn: int


class TimeControlJson(TypedDict):
    """Seconds at the start and a move, or days a move."""

    type: Literal["clock", "correspondence", "unlimited"]
    limit: NotRequired[int]
    increment: NotRequired[int]
    show: NotRequired[str]
    daysPerTurn: NotRequired[int]


class PerfName(TypedDict):
    icon: str
    name: str


class DeclineReason(TypedDict, total=False):
    declineReason: str
    declineReasonKey: str


class BotChallenge(DeclineReason):
    """A game that somebody is asked for by name. `color`: the challenger's.

    `destUser`: null once it is declined or cancelled.
    """

    id: str
    url: str
    status: Literal["created", "accepted", "declined", "canceled"]
    challenger: BotSeat | None
    destUser: BotSeat | None
    variant: VariantTag
    rated: bool
    speed: str
    timeControl: TimeControlJson
    color: Side
    finalColor: Side
    perf: PerfName
    initialFen: str
    direction: NotRequired[Literal["out"]]


ChallengesJson = TypedDict("ChallengesJson", {"in": list[BotChallenge], "out": list[BotChallenge]})


class BotEvent(TypedDict):
    """What happens to an account: a challenge, or a game that begins or ends."""

    type: Literal["challenge", "challengeCanceled", "challengeDeclined", "gameStart", "gameFinish"]
    challenge: NotRequired[BotChallenge]
    game: NotRequired[BotGame]
    compat: NotRequired[dict[str, bool]]


class ExportedUser(TypedDict):
    id: str
    name: str
    title: NotRequired[str]


class ExportedPlayer(TypedDict):
    """A player with their rating before the game, and by how much it changed; the computer has only its level, and
    somebody in an imported game only a name.
    """

    user: NotRequired[ExportedUser]
    name: NotRequired[str]
    rating: NotRequired[int]
    ratingDiff: NotRequired[int]
    provisional: NotRequired[bool]
    aiLevel: NotRequired[int]


class ExportedGame(Winner):
    """A game to keep. `moves`: SAN, with spaces between them. `clock`: seconds, absent without one.

    `initialFen`: absent if the variant always begins so. `arenaTour`, `swissTour`: its tournament. Instants in ms.
    """

    id: str
    rated: bool
    variant: str
    speed: str
    perf: str
    createdAt: int
    lastMoveAt: int
    status: str
    source: str
    players: dict[Side, ExportedPlayer]
    initialFen: NotRequired[str]
    moves: str
    clock: NotRequired[dict[str, int]]
    daysPerTurn: NotRequired[int]
    arenaTour: NotRequired[dict[str, str]]
    swissTour: NotRequired[dict[str, str]]


class OpenChallenge(TypedDict):
    """A game that any two may play. `urlWhite`, `urlBlack`: what to give to each."""

    id: str
    url: str
    status: Literal["created"]
    challenger: None
    destUser: None
    variant: VariantTag
    rated: bool
    speed: str
    timeControl: TimeControlJson
    color: Literal["random"]
    perf: PerfName
    initialFen: str
    urlWhite: str
    urlBlack: str
    open: dict[str, list[str]]


class SaidLine(TypedDict):
    """A line of a game's chat."""

    text: str
    user: str


class BotGameLine(TypedDict):
    """A line of a game's stream: gameFull first, then gameState, chatLine and opponentGone as they come."""

    type: Literal["gameFull", "gameState", "chatLine", "opponentGone"]
    state: NotRequired[dict[str, Any]]
    moves: NotRequired[str]
    status: NotRequired[str]
    text: NotRequired[str]
    gone: NotRequired[bool]


class LimitAndIncrement(TypedDict):
    """Seconds at the start, and a move."""

    limit: int
    increment: int


class RatingBound(TypedDict):
    rating: int


class Bounds(TypedDict):
    """The ratings that an entrant may have."""

    minRating: NotRequired[RatingBound]
    maxRating: NotRequired[RatingBound]


class PersonJson(TypedDict):
    id: str
    name: str


class ArenaPerf(TypedDict):
    """What the ratings are of. `position`: of the variant among those of this site."""

    key: str
    name: str
    position: int
    icon: str


class ArenaJson(Bounds):
    """An arena in the list. `status`: 10 before it, 20 while it is played, 30 after it. Instants in ms."""

    id: str
    createdBy: str
    system: Literal["arena"]
    minutes: int
    clock: LimitAndIncrement
    rated: bool
    fullName: str
    nbPlayers: int
    variant: VariantTag
    startsAt: int
    finishesAt: int
    status: Literal[10, 20, 30]
    perf: ArenaPerf
    secondsToStart: NotRequired[int]
    hasMaxRating: bool
    botsAllowed: Literal[False]
    winner: NotRequired[PersonJson]


class ArenasJson(TypedDict):
    created: list[ArenaJson]
    started: list[ArenaJson]
    finished: list[ArenaJson]


class Verdict(TypedDict):
    condition: str
    verdict: str


class Verdicts(TypedDict):
    """Who may join."""

    accepted: bool
    list: list[Verdict]


class ArenaSheet(TypedDict):
    """What somebody's games were worth, the newest first. `fire`: the next win counts double."""

    scores: str
    fire: NotRequired[bool]


class StandingRow(TypedDict):
    name: str
    rank: int
    rating: int
    score: int
    sheet: ArenaSheet


class StandingPage(TypedDict):
    page: int
    players: list[StandingRow]


class Duelist(TypedDict):
    """One of two who play: name, rating, rank."""

    n: str
    r: int
    k: int


class Duel(TypedDict):
    """A game in play (`id`)."""

    id: str
    p: list[Duelist]


class PodiumGames(TypedDict):
    game: int
    berserk: int
    win: int


class PodiumRow(TypedDict):
    name: str
    rank: int
    rating: int
    score: int
    nb: PodiumGames
    performance: int


class ArenaStats(TypedDict):
    games: int
    moves: int
    whiteWins: int
    blackWins: int
    draws: int
    berserks: int
    averageRating: int


class ArenaPerfName(TypedDict):
    key: str
    name: str
    icon: str


class ArenaFullJson(Bounds):
    """An arena, with one page of its table. `duels`: the first boards. `podium`, `stats`: of one that is over."""

    id: str
    fullName: str
    createdBy: str
    system: Literal["arena"]
    rated: bool
    berserkable: bool
    clock: LimitAndIncrement
    minutes: int
    startsAt: str
    secondsToStart: NotRequired[int]
    secondsToFinish: NotRequired[int]
    isFinished: bool
    pairingsClosed: bool
    nbPlayers: int
    hasMaxRating: bool
    botsAllowed: Literal[False]
    verdicts: Verdicts
    perf: ArenaPerfName
    variant: str
    duels: list[Duel]
    standing: StandingPage
    podium: NotRequired[list[PodiumRow]]
    stats: NotRequired[ArenaStats]


class ResultRow(TypedDict):
    rank: int
    rating: int
    username: str
    performance: int


class ArenaResult(ResultRow):
    """A line of the table. With the plain scoring, `score` counts halves of a point."""

    score: int
    sheet: NotRequired[ArenaSheet]


class SwissResult(ResultRow):
    """A line of the table. `tieBreak`: Buchholz without the worst opponent, in halves of a point.

    `absent`: they rest, or have left.
    """

    points: float
    tieBreak: int
    absent: NotRequired[bool]


NextRoundJson = TypedDict("NextRoundJson", {"at": str, "in": int})


class SwissStats(TypedDict):
    games: int
    whiteWins: int
    blackWins: int
    draws: int
    byes: int
    absences: int
    averageRating: int


class SwissJson(TypedDict):
    """A Swiss. `round`: the last one that has begun. `nextRound`: where it begins by itself."""

    id: str
    createdBy: str
    startsAt: str
    name: str
    clock: LimitAndIncrement
    variant: str
    round: int
    nbRounds: int
    nbPlayers: int
    nbOngoing: int
    status: Literal["created", "started", "finished"]
    stats: SwissStats
    rated: bool
    verdicts: Verdicts
    nextRound: NotRequired[NextRoundJson]
