/**
 * What a thought of the engine is worth, for people: in pawns, in chances to win, in words. A score here is always White's.
 *
 * @import { Thought } from '../engine/thinking.js'
 * @typedef {{points: number, mate: number | null}} Score   points: hundredths of a pawn; mate: in how many moves White mates, negative
 *   if Black does; 0: the side to move is mated, and `points` says who has won
 */
import { t } from '../words.js';

/** Hundredths of a pawn with which three of four points are scored, between players who err now and then. */
const STEEPNESS = 0.0037;
/** Beyond this a difference says nothing more. */
const MOST = 1500;

/** @param {Pick<Thought, 'score' | 'mate'>} thought @param {'white' | 'black'} mover whose thought it is @returns {Score} */
export function scoreOf({ score, mate }, mover) {
  const sign = mover === 'white' ? 1 : -1;
  return { points: sign * score, mate: mate === null ? null : sign * mate };
}

/** What White may expect of the game: 0 for a loss, 1 for a win. @param {Score} score */
export function chancesOf({ points, mate }) {
  if (mate !== null) return points > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-STEEPNESS * Math.max(-MOST, Math.min(MOST, points))));
}

/** "+0.4", "−12", "#3", "#−3". @param {Score} score @returns {string} */
export function writeScore({ points, mate }) {
  if (mate !== null) return `#${points > 0 ? '' : '−'}${Math.abs(mate)}`;
  const pawns = Math.abs(points) / 100;
  const digits = pawns < 9.95 ? pawns.toFixed(1) : String(Math.round(pawns));
  return `${Number(digits) === 0 ? '' : points > 0 ? '+' : '−'}${digits}`;
}

/** For whoever hears it: "White is better by 0.4". @param {Score} score @returns {string} */
export function speakScore(score) {
  const { points, mate } = score;
  const white = points > 0;
  if (mate !== null) return t(white ? 'engine.white_mates' : 'engine.black_mates', { n: Math.abs(mate) });
  const pawns = writeScore(score).replace(/^[+−]/, '');
  if (Number(pawns) === 0) return t('engine.even');
  return t(white ? 'engine.white_better' : 'engine.black_better', { pawns });
}
