/**
 * Plays matches between levels of the engine. One JSON line in: {variant: data, levels: [one, other], games, plies, seed};
 * one out: {score: what the first level scored, games, scores: of each}. Level 0 is a beginner. Each opening is random moves, and
 * played with both colours.
 */
import { createInterface } from 'node:readline';
import { beginnersMove } from './beginner.mjs';
import { outcome } from '../../../static/js/engine/rules/endings.js';
import { parseFen } from '../../../static/js/engine/rules/notation/fen.js';
import { generate } from '../../../static/js/engine/rules/generation.js';
import { make } from '../../../static/js/engine/rules/making.js';
import { compile } from '../../../static/js/engine/rules/tables.js';
import { parseMove } from '../../../static/js/engine/rules/notation/uci.js';
import { Thinker } from '../../../static/js/engine/thinking.js';

const OPENING = 6;

/** Numbers from 0 to below 1, the same for the same seed. */
function numbers(seed) {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x9e3779b9) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A position after a few random moves that is not over. */
function opening(tables, random) {
  for (;;) {
    const position = parseFen(tables, tables.variant.startFen);
    for (let ply = 0; ply < OPENING && !outcome(position); ply++)
      make(position, position.moves[Math.floor(random() * generate(position, 0))]);
    if (!outcome(position)) return position;
  }
}

/** What a level plays in a position. */
const atLevel = (thinker, level) => position => {
  const thoughts = [...thinker.think(position, { level }, () => false)];
  return parseMove(position, thoughts.at(-1).line[0]);
};

const beginner = ({ values }, random) => position => beginnersMove(position, values.piece, random);

/** Who wins: 0 White, 1 Black, null nobody. */
function play(position, players, plies, judge) {
  for (let ply = 0; ply < plies; ply++) {
    const end = outcome(position);
    if (end) return end.winner;
    make(position, players[position.side](position));
  }
  judge.error = 0;
  const score = judge.of(position) * (position.side ? -1 : 1);
  return Math.abs(score) < 200 ? null : score > 0 ? 0 : 1;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { variant, levels, games, plies, seed } = JSON.parse(line);
  const tables = compile(variant);
  const thinkers = levels.map(() => new Thinker(tables, () => 0));
  const { evaluation } = thinkers[0].search;
  const scores = [];
  for (let game = 0; game < games; game++) {
    const random = numbers(seed + (game >> 1));
    const turned = game % 2;
    for (const thinker of thinkers) thinker.forget();
    const begun = opening(tables, random);
    const players = levels.map((level, nth) => (level ? atLevel(thinkers[nth], level) : beginner(evaluation, random)));
    const winner = play(begun, turned ? [...players].reverse() : players, plies, evaluation);
    scores.push(winner === null ? 0.5 : winner === turned ? 1 : 0);
  }
  const score = scores.reduce((sum, one) => sum + one, 0);
  process.stdout.write(`${JSON.stringify({ score, games, scores })}\n`);
}
