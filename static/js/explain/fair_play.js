/**
 * Whether the reader plays a game with what a board shows, so that no engine may be asked about it: the rule by which the
 * server refuses its own help (server/web/fair_play.py). Knows the reader's running games, and hears of changes.
 *
 * @typedef {{variant: string, by_the_minute: boolean, computer: number, opponent: string | null, to_move: 'white' | 'black',
 *   board: string, last: string}} RunningGame   as /api/me/games tells it
 * @typedef {{variant: string, startFen: string, chess960: boolean, fens: string[]}} Way   fens: from where it begins to what is shown
 */
import { turnOf } from '../game/model.js';
import { requestJson } from '../net/requests.js';

/** Half-moves that many games have in common. A position after fewer is somebody's game only for a while. */
const OPENING = 10;
/** Half-moves that what follows from such a position still helps with. */
const SOON = 8;

export class FairPlay {
  /** @type {RunningGame[]} */
  #games = [];
  #asked = false;

  /** @param {() => void} changed called when other games may be running than before */
  constructor(changed) {
    const again = () => this.#asked && void this.ask().then(changed, () => {});
    // Told by the page's line for notifications, if it has one; whoever comes back may have begun a game elsewhere.
    document.addEventListener('your-games', again);
    addEventListener('storage', ({ key }) => key === 'plays' && again());
    document.addEventListener('visibilitychange', () => document.hidden || again());
  }

  /** Asks which games are running. Offline they are those of before: no server is there in which they could go on.
   * @throws {import('../net/requests.js').RequestFailed} */
  async ask() {
    this.#asked = true;
    try {
      const { games } = await requestJson('/api/me/games');
      this.#games = games;
    } catch (error) {
      if (navigator.onLine) throw error;
    }
  }

  /** Why the engine may not be asked about the end of this way: the key of a sentence; null: it may. @param {Way} way */
  reason(way) {
    return reasonIn(this.#games, way);
  }
}

/** Why no engine may be asked about the end of `way` by whoever plays these games; null: it may.
 * @param {RunningGame[]} games @param {Way} way */
export function reasonIn(games, way) {
  const theirs = games.filter(({ variant, computer, opponent }) => variant === way.variant && opponent && !computer);
  if (theirs.some(game => game.by_the_minute)) return 'engine.in_play_variant';
  return theirs.some(game => leadsFrom(game, way)) ? 'engine.in_play' : null;
}

/** A game in which nobody has moved gives nothing away. What comes long after a position of the opening is another game.
 * @param {RunningGame} game @param {Way} way */
function leadsFrom({ board, last, to_move }, { fens, startFen, chess960 }) {
  const opening = chess960 || placement(fens[0]) === placement(startFen) ? OPENING : 0;
  return (
    last !== '' &&
    fens.some(
      (fen, at) =>
        placement(fen) === board && turnOf(fen) === to_move && (at >= opening || fens.length - 1 - at <= SOON),
    )
  );
}

/** Its pieces, without pockets. @param {string} fen */
const placement = fen => fen.split(/[ []/, 1)[0];
