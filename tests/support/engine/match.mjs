/**
 * Plays matches between levels of the engine. One JSON line in: {variant: data, levels: [one, other], games, plies, seed};
 * one out: {score: what the first level scored, games, scores: of each}. Each opening is random moves, and played with both colours.
 */
import { createInterface } from 'node:readline';
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

/** Who wins: 0 White, 1 Black, null nobody. */
function play(position, players, plies) {
  for (let ply = 0; ply < plies; ply++) {
    const end = outcome(position);
    if (end) return end.winner;
    const { thinker, level } = players[position.side];
    const thoughts = [...thinker.think(position, { level }, () => false)];
    make(position, parseMove(position, thoughts.at(-1).line[0]));
  }
  const judge = players[0].thinker.search.evaluation;
  judge.error = 0;
  const score = judge.of(position) * (position.side ? -1 : 1);
  return Math.abs(score) < 200 ? null : score > 0 ? 0 : 1;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { variant, levels, games, plies, seed } = JSON.parse(line);
  const tables = compile(variant);
  const players = levels.map(level => ({ level, thinker: new Thinker(tables, () => 0) }));
  const scores = [];
  for (let game = 0; game < games; game++) {
    const random = numbers(seed + (game >> 1));
    const turned = game % 2;
    for (const { thinker } of players) thinker.forget();
    const winner = play(opening(tables, random), turned ? [...players].reverse() : players, plies);
    scores.push(winner === null ? 0.5 : winner === turned ? 1 : 0);
  }
  const score = scores.reduce((sum, one) => sum + one, 0);
  process.stdout.write(`${JSON.stringify({ score, games, scores })}\n`);
}
