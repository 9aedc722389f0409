/**
 * Whether the reader plays a game with what a board shows, so that no engine may be asked about it: the rule by which the
 * server refuses its own help (server/web/fair_play.py). A position may be typed: in whichever variant, one move or one piece
 * away from a game's, and seen in a mirror, it is still a position of that game. Knows the reader's running games, and hears of
 * changes.
 *
 * @typedef {{variant: string, by_the_minute: boolean, computer: number, opponent: string | null, to_move: 'white' | 'black',
 *   board: string, last: string, explodes: boolean}} RunningGame   as /api/me/games tells it
 * @typedef {{variant: string, startFen: string, chess960: boolean, fens: string[]}} Way   fens: from where it begins to what is shown
 */
import { turnOf } from '../game/model.js';
import { requestJson } from '../net/requests.js';

/** Half-moves that many games have in common. A position after fewer is somebody's game only for a while. */
const OPENING = 10;
/** Half-moves that what follows from such a position still helps with. */
const SOON = 8;
/** Squares that a move fills or empties: castling with a gate. An explosion empties more. */
const MOST_CHANGED = 4;
const MOST_EMPTIED = 10;
/** Squares by which a position differs from the start at most if a piece is given as odds, and each side moves once. */
const NEAR_START = 5;

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
  const theirs = games.filter(({ computer, opponent }) => opponent && !computer);
  const size = squaresOf(way.startFen).length;
  if (theirs.some(one => one.by_the_minute && (one.variant === way.variant || squaresOf(one.board).length === size)))
    return 'engine.in_play_variant';
  const begun = theirs.filter(({ last }) => last);
  return leadsFrom(begun, way) ? 'engine.in_play' : null;
}

/** Is the end of `way` a position of one of these games, or does it follow from one? What comes long after a position of the
 * opening is another game, and there only the very position counts, in whichever variant its moves are made; a game in which
 * nobody has moved gives nothing away.
 * @param {RunningGame[]} games @param {Way} way */
function leadsFrom(games, { fens, startFen, chess960 }) {
  const opening = isBeginning(fens[0], startFen, chess960) ? OPENING : 0;
  const boards = games.flatMap(game => boardsOf(game, !opening));
  const stands = (/** @type {string} */ fen) => {
    const white = turnOf(fen) === 'white';
    const shown = squaresOf(fen).join();
    return boards.some(({ squares, whitesTurn }) => whitesTurn === white && squares.join() === shown);
  };
  return fens.some(
    (fen, at) => (at >= opening && isNear(boards, fen, startFen)) || (fens.length - 1 - at <= SOON && stands(fen)),
  );
}

/** @param {string} fen @param {string} startFen @param {boolean} chess960 */
function isBeginning(fen, startFen, chess960) {
  const rows = (/** @type {string} */ text) =>
    placement(text)
      .split('/')
      .map(row => [...row].sort().join(''))
      .join('/');
  return chess960 ? rows(fen) === rows(startFen) : placement(fen) === placement(startFen);
}

/**
 * @typedef {object} Board   that of a game
 * @property {string[]} squares
 * @property {boolean} whitesTurn
 * @property {boolean} explodes   a move there may empty squares without filling any
 */

/** The board of a game; `mirrored`: with the sides exchanged, too, and both from left to right.
 * @param {RunningGame} game @param {boolean} mirrored @returns {Board[]} */
function boardsOf({ board, to_move, explodes }, mirrored) {
  const white = to_move === 'white';
  /** @param {string[]} squares @param {boolean} whitesTurn */
  const seen = (squares, whitesTurn) => ({ squares, whitesTurn, explodes });
  const squares = squaresOf(board);
  if (!mirrored) return [seen(squares, white)];
  const exchanged = squaresOf(board.split('/').reverse().join('/')).map(exchange);
  const backwards = (/** @type {string[]} */ some) => [...some].reverse().map(exchange);
  return [
    seen(squares, white),
    seen(exchanged, !white),
    seen(backwards(squares), !white),
    seen(backwards(exchanged), white),
  ];
}

/**
 * Is the position that of one of the boards, or but a square or a move of whoever is to move there away? The start without a
 * piece is a game at odds: it may be a square away from many games that have just begun.
 * @param {Board[]} boards @param {string} fen @param {string} startFen
 */
function isNear(boards, fen, startFen) {
  const squares = squaresOf(fen);
  const ofSize = boards.filter(board => board.squares.length === squares.length);
  const changes = ofSize.map(board => changed(board.squares, squares).length);
  if (changes.includes(0) || ofSize.some(board => isMoved(board, squares, turnOf(fen) === 'white'))) return true;
  return changes.includes(1) && changed(squaresOf(startFen), squares).length > NEAR_START;
}

/** What stands on the squares that differ. @param {string[]} before @param {string[]} after */
const changed = (before, after) => after.filter((square, at) => square !== before[at]);

/** Can a move on the board have led to these squares? @param {Board} board @param {string[]} squares @param {boolean} whitesTurn */
function isMoved(board, squares, whitesTurn) {
  const after = changed(board.squares, squares);
  if (after.length > MOST_EMPTIED || whitesTurn === board.whitesTurn) return false;
  // A move puts pieces of its side on squares, and takes any away; one that explodes only takes away.
  const filled = after.filter(Boolean);
  if (!filled.length) return board.explodes;
  return after.length <= MOST_CHANGED && filled.every(piece => isWhite(piece) === board.whitesTurn);
}

/** Row by row, each square with its piece or ''. A promoted piece is what it promoted to, and pockets are left out, as they can be
 * typed as one likes. @param {string} fen */
const squaresOf = fen =>
  [...placement(fen).matchAll(/\d+|\+?[^\d/~]/g)].flatMap(([token]) =>
    /\d/.test(token) ? Array(Number(token)).fill('') : [token],
  );

/** @param {string} piece */
const isWhite = piece => piece !== piece.toLowerCase();

/** Of the other side. @param {string} piece */
const exchange = piece => (isWhite(piece) ? piece.toLowerCase() : piece.toUpperCase());

/** Its pieces, without pockets. @param {string} fen */
const placement = fen => fen.split(/[ []/, 1)[0];
