/**
 * Judges the moves of a game by what they lose of the chances to win. Plain functions on plain values.
 *
 * @import { Score } from '../explain/scores.js'
 * @typedef {{score: Score, line: string[], lead?: number}} Judged   a position: what it is worth, and in UCI what is best there, empty if
 *   the game is over; lead: of the best move before the next one, in chances, where it was played and is not what one sees at first
 * @typedef {'inaccuracy' | 'mistake' | 'blunder'} Kind
 * @typedef {Kind | 'good'} Mark   good: hard to see, and nothing else would have done
 * @typedef {{ply: number, kind: Kind, loss: number, played: string, line: string[]}} Mistake   ply: of the move, from 1; loss: of the chances, from 0
 *   to 1; line: what was better, in UCI
 * @typedef {Record<Mark, number> & {moves: number}} Tally
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

/** The least lead of a good move: any other one would have been a mistake. */
const ONLY_MOVE = 0.1;

/** @type {Record<Mark, string>} */
export const GLYPHS = { inaccuracy: '?!', mistake: '?', blunder: '??', good: '!' };

/** @param {number} ply of a move, from 1 @param {boolean} whiteBegins */
export const moverOf = (ply, whiteBegins) => ((ply % 2 === 1) === whiteBegins ? 'white' : 'black');

/** What a side may expect of a position: 0 to 1. @param {Score} score @param {'white' | 'black'} side */
const chancesFor = (score, side) => (side === 'white' ? chancesOf(score) : 1 - chancesOf(score));

/** What a move from one position to the other lost of its side's chances. @param {Score} before @param {Score} after @param {'white' | 'black'} side */
export const lossOf = (before, after, side) => Math.max(0, chancesFor(before, side) - chancesFor(after, side));

/** By how much the best move is better than the next one, of the same side's scores. @param {Score} best @param {Score} next */
export const leadOf = (best, next) => chancesOf(best) - chancesOf(next);

/** What each move lost. @param {Judged[]} positions one more than moves @param {string[]} moves UCI @param {boolean} whiteBegins */
export const losses = (positions, moves, whiteBegins) =>
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

/** What stands beside each move that is out of the ordinary, by its ply, from 1. @param {Judged[]} positions @param {string[]} moves UCI
 * @param {boolean} whiteBegins @returns {Map<number, Mark>} */
export function marksOf(positions, moves, whiteBegins) {
  /** @type {Map<number, Mark>} */
  const marks = new Map(mistakesIn(positions, moves, whiteBegins).map(({ ply, kind }) => [ply, kind]));
  positions.forEach(({ lead = 0, line }, at) => {
    if (lead >= ONLY_MOVE && moves[at] === line[0]) marks.set(at + 1, 'good');
  });
  return marks;
}

/** @param {Judged[]} positions @param {string[]} moves UCI @param {boolean} whiteBegins @returns {Record<'white' | 'black', Tally>} */
export function tally(positions, moves, whiteBegins) {
  const marks = [...marksOf(positions, moves, whiteBegins)];
  const of = (/** @type {'white' | 'black'} */ side) => {
    const count = (/** @type {Mark} */ kind) =>
      marks.filter(([ply, mark]) => mark === kind && moverOf(ply, whiteBegins) === side).length;
    return {
      good: count('good'),
      inaccuracy: count('inaccuracy'),
      mistake: count('mistake'),
      blunder: count('blunder'),
      moves: moves.filter((_, at) => moverOf(at + 1, whiteBegins) === side).length,
    };
  };
  return { white: of('white'), black: of('black') };
}
