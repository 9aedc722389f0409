/**
 * What the computer thought, in words. Pure.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { Thought } from '../engine/thinking.js'
 * @import { GameState } from '../game/model.js'
 */
import { parseFen } from '../board/position.js';
import { writeScore } from '../explain/scores.js';
import { writeMove } from '../game/write_move.js';
import { t } from '../words.js';

/**
 * @param {Thought} thought for the computer, before the move that it has just made @param {Variant} variant
 * @param {GameState} state with that move: its opponent is to move
 */
export function thoughtWords({ depth, score, mate, line }, variant, { fen, legal }) {
  const how = mate === null ? t('thoughts.score', { score: writeScore({ points: score, mate }) }) : mateWords(mate);
  const seen = t('thoughts.thought', { n: depth, score: how });
  const expected = line[1];
  if (!expected || !legal?.includes(expected)) return seen;
  return `${seen} ${t('thoughts.expects', { move: writeMove(expected, variant, parseFen(fen), legal) })}`;
}

/** @param {number} mate in how many moves */
const mateWords = mate => t(mate > 0 ? 'thoughts.mates' : 'thoughts.mated', { n: Math.abs(mate) });
