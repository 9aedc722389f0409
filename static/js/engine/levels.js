/**
 * How strong the engine plays: levels 1 to 8, by how many positions it looks at, not by time, so that a slow machine is no
 * weaker opponent. The lower ones also misjudge, in one game the same position always in the same way, as somebody does who does not
 * see what a move is good for; what can be taken at once they see. Each level scores about three games of four against the
 * one below.
 */
export const HIGHEST = 8;

/** By level, from 1 on: nodes, and by how much a position may be misjudged, in hundredths of a pawn. */
const LEVELS = [
  { nodes: 60, error: 500 },
  { nodes: 90, error: 220 },
  { nodes: 150, error: 135 },
  { nodes: 255, error: 105 },
  { nodes: 410, error: 76 },
  { nodes: 780, error: 52 },
  { nodes: 1_400, error: 27 },
  { nodes: 2_600, error: 15 },
];

/** @param {number} level 1 to HIGHEST @returns {{nodes: number, error: number}} */
export const levelOf = level => LEVELS[Math.min(Math.max(Math.round(level), 1), HIGHEST) - 1];
