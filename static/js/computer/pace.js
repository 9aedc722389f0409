/** How long the computer takes for a move, so that it plays at a person's pace. Pure: chance is an argument. */

/** ms that a move may take on average without a clock. */
const UNHURRIED = 2_000;
/** Moves for which what is on the clock is thought to last. */
const MOVES_TO_GO = 40;
const SHORTEST = 80;
const LONGEST = 3_500;
/** Half-moves of the opening, which is played faster. */
const OPENING = 10;

/**
 * @param {object} at
 * @param {number | null} at.left ms on its clock; null: it has none
 * @param {number} at.increment ms
 * @param {number} at.plies half-moves played
 * @param {boolean} at.recaptures whether it takes back on the square of the last move: nobody thinks long about that
 * @param {number} chance 0 to 1
 * @returns {number} ms from the opponent's move on
 */
export function pace({ left, increment, plies, recaptures }, chance) {
  const budget = left === null ? UNHURRIED : left / MOVES_TO_GO + increment / 2;
  const hurry = (plies < OPENING ? 0.6 : 1) * (recaptures ? 0.5 : 1);
  const wanted = Math.min(budget, UNHURRIED * 1.5) * (0.4 + 0.8 * chance) * hurry;
  return Math.min(Math.max(wanted, SHORTEST), LONGEST);
}
