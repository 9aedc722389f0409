/**
 * How Fairy-Stockfish is asked, and what it answers, in UCI. Pure: knows no worker.
 *
 * @import { Asked } from './engine_worker.js'
 * @import { Thought } from '../engine/thinking.js'
 */

/** Of an infinite score, for the bar. */
const MATE_POINTS = 100_000;

/**
 * @param {string} line that it said @returns {Thought | null} null: it tells of no line, or of one that is not searched to its end
 */
export function readThought(line) {
  const words = line.split(' ');
  if (words[0] !== 'info' || words.includes('lowerbound') || words.includes('upperbound')) return null;
  const after = (/** @type {string} */ word) => words[words.indexOf(word) + 1];
  const pv = words.indexOf('pv');
  if (pv < 0 || !words.includes('score') || words.includes('string')) return null;
  const value = Number(words[words.indexOf('score') + 2]);
  const mate = after('score') === 'mate' ? value : null;
  return {
    depth: Number(after('depth')),
    deepest: Number(after('seldepth')),
    rank: Number(after('multipv')),
    score: mate === null ? value : (mate > 0 ? 1 : -1) * MATE_POINTS - mate,
    mate,
    nodes: Number(after('nodes')),
    time: Number(after('time')),
    line: words.slice(pv + 1),
  };
}

/** @param {string} line @returns {string | null | undefined} the move it settles on, null if there is none; undefined: it says something else */
export function readBest(line) {
  const [word, move = ''] = line.split(' ');
  if (word !== 'bestmove') return undefined;
  return move === '(none)' || move === '0000' || move === '' ? null : move;
}

/** What to say to have it think. @param {Asked} asked @returns {string[]} */
export function writeAsked({ fen, moves, chess960, limits, passed }) {
  const from = limits.threat ? `fen ${passed}` : `fen ${fen}${moves.length ? ` moves ${moves.join(' ')}` : ''}`;
  return [
    `setoption name UCI_Chess960 value ${chess960}`,
    `setoption name MultiPV value ${limits.lines ?? 1}`,
    `position ${from}`,
    goAs(limits),
  ];
}

/** @param {Asked['limits']} limits */
function goAs({ time, nodes, depth }) {
  const words = { movetime: time, nodes, depth };
  const said = Object.entries(words).filter(([, value]) => value !== undefined);
  return said.length ? `go ${said.map(([word, value]) => `${word} ${value}`).join(' ')}` : 'go infinite';
}
