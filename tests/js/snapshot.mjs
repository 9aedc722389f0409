/** A snapshot of a game, as the server sends it to a page. */
import { chess } from './variants.mjs';

export const E4 = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';
/** What the server tells of a game between Ann and Bo before its first move, and what follows 1. e4. */
export const snapshot = (more = {}) => ({
  t: 'snapshot',
  epoch: 'x',
  v: 3,
  game: 'abcdefghij',
  variant: 'chess',
  chess960: false,
  rated: false,
  you: 'white',
  status: 'live',
  white: { id: 'a', name: 'Ann' },
  black: { id: 'b', name: 'Bo' },
  start_fen: chess.startFen,
  fen: chess.startFen,
  check: false,
  turn: 'white',
  moves: [],
  legal: 'e2e4 d2d4',
  clock: { white: 60000, black: 60000 },
  initial: [60000, 60000],
  increment: [0, 0],
  offers: [],
  can_abort: true,
  chat: [],
  invited: false,
  ...more,
});
export const moved = (more = {}) => ({
  t: 'moved',
  v: 4,
  ply: 0,
  uci: 'e2e4',
  san: 'e4',
  fen: E4,
  clock: { white: 59000, black: 60000, run: 'black' },
  ...more,
});
