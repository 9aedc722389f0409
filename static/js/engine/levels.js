/**
 * How strong the engine plays: levels 1 to 8, by how many positions it looks at, not by time, so that a slow machine is no
 * weaker opponent. The lower ones also misjudge, the same position always in the same way, as somebody does who does not
 * see what a move is good for; what can be taken at once they see. Each level scores about three games of four against the
 * one below.
 */
export const HIGHEST = 8;

/** By level, from 1 on: nodes, and by how much a position may be misjudged, in hundredths of a pawn. */
const LEVELS = [
  { nodes: 40, error: 200 },
  { nodes: 68, error: 165 },
  { nodes: 105, error: 138 },
  { nodes: 160, error: 118 },
  { nodes: 255, error: 99 },
  { nodes: 450, error: 78 },
  { nodes: 850, error: 52 },
  { nodes: 1_700, error: 20 },
];

/** @param {number} level 1 to HIGHEST @returns {{nodes: number, error: number}} */
export const levelOf = level => LEVELS[Math.min(Math.max(Math.round(level), 1), HIGHEST) - 1];
