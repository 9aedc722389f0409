/**
 * Learning from one's mistakes, as a value: which of them is asked about, and what has come of it. Judges by numbers that
 * others bring, and shows nothing.
 *
 * @import { Mistake } from './judgement.js'
 * @typedef {'asked' | 'judging' | 'wrong' | 'played' | 'right' | 'best' | 'shown'} Stage   wrong: try again; played: that was the mistake itself;
 *   right: as good as the best; shown: the solution was asked for
 * @typedef {{mistakes: Mistake[], nth: number, stage: Stage, tried: string, solved: number}} Exercises   nth: from 0; past the last one they
 *   are done; tried: UCI
 */
import { AS_GOOD } from './judgement.js';

/** @param {Mistake[]} mistakes of one side @returns {Exercises} */
export const beginWith = mistakes => ({ mistakes, nth: 0, stage: 'asked', tried: '', solved: 0 });

/** @param {Exercises} exercises @returns {Mistake | null} null: all are done */
export const current = ({ mistakes, nth }) => mistakes[nth] ?? null;

/** Whether a move is looked for now. @param {Exercises} exercises */
export const isOpen = ({ stage }) => stage === 'asked' || stage === 'wrong' || stage === 'played';

/** Somebody has tried a move. @param {Exercises} exercises @param {string} uci @returns {Exercises} `judging`: it has to be looked at first */
export function tried(exercises, uci) {
  const mistake = current(exercises);
  if (!mistake || !isOpen(exercises)) return exercises;
  if (uci === mistake.line[0]) return { ...exercises, stage: 'best', tried: uci, solved: exercises.solved + 1 };
  return { ...exercises, stage: uci === mistake.played ? 'played' : 'judging', tried: uci };
}

/** It has been looked at. @param {Exercises} exercises @param {number} loss of the chances, against the best move @returns {Exercises} */
export function judged(exercises, loss) {
  if (exercises.stage !== 'judging') return exercises;
  const right = loss < AS_GOOD;
  return { ...exercises, stage: right ? 'right' : 'wrong', solved: exercises.solved + (right ? 1 : 0) };
}

/** @param {Exercises} exercises @returns {Exercises} */
export const givenUp = exercises => (isOpen(exercises) ? { ...exercises, stage: 'shown' } : exercises);

/** @param {Exercises} exercises @returns {Exercises} */
export const next = exercises => ({ ...exercises, nth: exercises.nth + 1, stage: 'asked', tried: '' });
