/**
 * When the computer resigns, and when it accepts a draw. Pure. Scores are in hundredths of a pawn, for the computer.
 *
 * @typedef {{score: number, mate: number | null}} Judged   mate: in how many moves it mates, negative if it is mated
 */

/** From this level on it resigns: whoever plays the first ones still learns how to win a won game. */
const RESIGNS_FROM = 3;
const LOST = -900;
/** Its own moves in a row for which the game has looked lost. */
const CONVINCED = 3;
/** Who sees the mate may give it. */
const SHOWN_MATE = 2;
/** Half-moves before which it neither accepts a draw nor resigns. */
const EARLY = 20;
const FAIRLY_LONG = 60;
const WORSE = -100;

/** Does the game look lost? @param {Judged} judged */
export const looksLost = ({ score }) => score <= LOST;

/**
 * @param {number} level @param {number} plies half-moves played @param {number} lost its own moves in a row for which the
 *   game has looked lost @param {Judged} judged as well as it can
 */
export function resigns(level, plies, lost, judged) {
  if (level < RESIGNS_FROM || plies < EARLY || lost < CONVINCED || !looksLost(judged)) return false;
  return judged.mate === null || judged.mate < -SHOWN_MATE;
}

/** @param {number} plies half-moves played @param {Judged} judged as well as it can */
export function acceptsDraw(plies, { score }) {
  if (plies < EARLY) return false;
  return score <= (plies < FAIRLY_LONG ? WORSE : 0);
}
