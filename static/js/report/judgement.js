/**
 * Judges the moves of a game by what they lose of the chances to win. Plain functions on plain values.
 *
 * @import { Score } from '../explain/scores.js'
 * @typedef {{score: Score, line: string[]}} Judged   a position: what it is worth, and in UCI what is best there, empty if the game is over
 * @typedef {'inaccuracy' | 'mistake' | 'blunder'} Kind
 * @typedef {{ply: number, kind: Kind, loss: number, played: string, line: string[]}} Mistake   ply: of the move, from 1; loss: of the chances, from 0
 *   to 1; line: what was better, in UCI
 * @typedef {Record<Kind, number> & {moves: number, loss: number}} Tally   loss: on average
 */
import { chancesOf } from '../explain/scores.js';

/** From which loss on a move is called so; 1 is a won game that is lost. @type {[Kind, number][]} */
const LEAST = [
  ['blunder', 0.15],
  ['mistake', 0.1],
  ['inaccuracy', 0.05],
];
/** A move that loses less than this is as good as the best one. */
export const AS_GOOD = 0.04;

/** @type {Record<Kind, string>} */
export const GLYPHS = { inaccuracy: '?!', mistake: '?', blunder: '??' };

/** @param {number} ply of a move, from 1 @param {boolean} whiteBegins */
export const moverOf = (ply, whiteBegins) => ((ply % 2 === 1) === whiteBegins ? 'white' : 'black');

/** What a side may expect of a position: 0 to 1. @param {Score} score @param {'white' | 'black'} side */
const chancesFor = (score, side) => (side === 'white' ? chancesOf(score) : 1 - chancesOf(score));

/** What a move from one position to the other lost of its side's chances. @param {Score} before @param {Score} after @param {'white' | 'black'} side */
export const lossOf = (before, after, side) => Math.max(0, chancesFor(before, side) - chancesFor(after, side));

/** What each move lost. @param {Judged[]} positions one more than moves @param {string[]} moves UCI @param {boolean} whiteBegins */
const losses = (positions, moves, whiteBegins) =>
  moves.map((uci, at) =>
    uci === positions[at].line[0]
      ? 0
      : lossOf(positions[at].score, positions[at + 1].score, moverOf(at + 1, whiteBegins)),
  );

/** The moves that were mistakes, in order. @param {Judged[]} positions @param {string[]} moves UCI @param {boolean} whiteBegins @returns {Mistake[]} */
export const mistakesIn = (positions, moves, whiteBegins) =>
  losses(positions, moves, whiteBegins).flatMap((loss, at) => {
    const kind = LEAST.find(([, least]) => loss >= least)?.[0];
    return kind ? [{ ply: at + 1, kind, loss, played: moves[at], line: positions[at].line }] : [];
  });

/** @param {Judged[]} positions @param {string[]} moves UCI @param {boolean} whiteBegins @returns {Record<'white' | 'black', Tally>} */
export function tally(positions, moves, whiteBegins) {
  const found = mistakesIn(positions, moves, whiteBegins);
  const lost = losses(positions, moves, whiteBegins);
  const of = (/** @type {'white' | 'black'} */ side) => {
    const own = lost.filter((_, at) => moverOf(at + 1, whiteBegins) === side);
    const count = (/** @type {Kind} */ kind) =>
      found.filter(one => one.kind === kind && moverOf(one.ply, whiteBegins) === side).length;
    return {
      inaccuracy: count('inaccuracy'),
      mistake: count('mistake'),
      blunder: count('blunder'),
      moves: own.length,
      loss: own.reduce((sum, loss) => sum + loss, 0) / (own.length || 1),
    };
  };
  return { white: of('white'), black: of('black') };
}
