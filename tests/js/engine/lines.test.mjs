/** Several lines at once, seeds, and how soon others are let speak: on every variant, with a clock that stands. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { make } from '../../../static/js/engine/rules/making.js';
import { parseFen, writeFen } from '../../../static/js/engine/rules/notation/fen.js';
import { legalUcis, parseMove } from '../../../static/js/engine/rules/notation/uci.js';
import { compile } from '../../../static/js/engine/rules/tables.js';
import { Thinker } from '../../../static/js/engine/thinking.js';
import { all } from './variants.mjs';

/** Nodes that a slow phone looks at in some 50 ms. */
const SOON = 2_500;
const FULL_HANDS = '[RNBQPPPPPPrnbqpppppp]';
const never = () => false;
const compiled = new Map([...all.values()].map(variant => [variant.id, compile(variant)]));
const startOf = variant => parseFen(compiled.get(variant.id), variant.startFen);
const begin = variant => ({ thinker: new Thinker(compiled.get(variant.id), () => 0), position: startOf(variant) });
const ranked = (thoughts, depth) => thoughts.filter(thought => thought.depth === depth);

for (const variant of all.values()) {
  test(`${variant.id}: the lines of a depth are legal, begin in different ways, and the best is first`, () => {
    const { thinker, position } = begin(variant);
    const thoughts = ranked([...thinker.think(position, { depth: 3, lines: 4 }, never)], 3);
    assert.deepEqual(
      thoughts.map(({ rank }) => rank),
      [1, 2, 3, 4],
    );
    assert.equal(new Set(thoughts.map(({ line }) => line[0])).size, 4);
    const scores = thoughts.map(({ score }) => score);
    assert.deepEqual(
      scores,
      [...scores].sort((one, other) => other - one),
    );
    for (const { line } of thoughts) {
      const board = startOf(variant);
      for (const uci of line) {
        assert.ok(legalUcis(board).includes(uci), `${line}: ${uci}`);
        make(board, parseMove(board, uci));
      }
    }
  });

  test(`${variant.id}: others can speak every few milliseconds`, () => {
    const { thinker, position } = begin(variant);
    let last = 0;
    for (const thought of thinker.thinkInSlices(position, { nodes: 12_000, lines: 2 }, never)) {
      assert.ok(thinker.search.nodes - last <= SOON, `${thinker.search.nodes - last} nodes, ${thought?.depth}`);
      last = thinker.search.nodes;
    }
    assert.ok(last > 9_000);
  });
}

test('others can speak also where very many pieces can be dropped', () => {
  const tables = compiled.get('crazyhouse');
  const thinker = new Thinker(tables, () => 0);
  const position = parseFen(tables, `r1bq1rk1/ppp2ppp/8/8/8/8/PPP2PPP/R1BQ1RK1${FULL_HANDS} w - - 0 1`);
  let last = 0;
  for (const _ of thinker.thinkInSlices(position, { nodes: 60_000 }, never)) {
    assert.ok(thinker.search.nodes - last <= SOON, `${thinker.search.nodes - last} nodes`);
    last = thinker.search.nodes;
  }
});

test('what is stopped in the middle of a search ends soon, and leaves the position as it was', () => {
  for (const variant of all.values()) {
    const { thinker, position } = begin(variant);
    const before = [writeFen(position), position.low, position.high, position.ply];
    let pulses = 0;
    let said = 0;
    const thoughts = thinker.thinkInSlices(position, { lines: 3 }, () => pulses > 30);
    for (const thought of thoughts) {
      if (thought) continue;
      pulses++;
      if (pulses === 31) said = thinker.search.nodes;
    }
    assert.ok(thinker.search.nodes - said <= SOON, variant.id);
    assert.deepEqual([writeFen(position), position.low, position.high, position.ply], before, variant.id);
  }
});

test('no more lines than there are moves', () => {
  const tables = compiled.get('chess');
  const cornered = parseFen(tables, '7k/8/8/8/8/4q3/8/7K b - - 0 1');
  make(cornered, parseMove(cornered, 'h8g8'));
  const moves = legalUcis(cornered);
  const thoughts = ranked([...new Thinker(tables, () => 0).think(cornered, { depth: 2, lines: 5 }, never)], 2);
  assert.equal(thoughts.length, moves.length);
  assert.ok(moves.length < 5);
});

test('the first of several lines is about as good as a line alone', () => {
  const { thinker, position } = begin(all.get('chess'));
  const mate = parseFen(thinker.tables, 'r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1');
  const [first, second] = ranked([...thinker.think(mate, { depth: 6, lines: 2 }, never)], 6);
  assert.equal(first.line[0], 'f6a6');
  assert.ok(first.mate > 0 && (second.mate === null || second.mate > first.mate));
  assert.equal(position.ply, 0);
});

/** The first plies of a game of a level against itself. */
function game(variant, level, seed) {
  const { thinker, position } = begin(all.get(variant));
  return Array.from({ length: 6 }, () => {
    const uci = [...thinker.think(position, { level, seed }, never)].at(-1).line[0];
    make(position, parseMove(position, uci));
    return uci;
  }).join(' ');
}

for (const level of [1, 4, 8])
  test(`level ${level} plays the same game with the same seed, and others with other seeds`, () => {
    for (const variant of ['chess', 'crazyhouse', 'acedrex']) {
      const seeds = [1, 2, 3, 4, 5, 6];
      const games = seeds.map(seed => game(variant, level, seed));
      assert.deepEqual(
        seeds.slice(0, 2).map(seed => game(variant, level, seed)),
        games.slice(0, 2),
      );
      assert.ok(new Set(games).size >= 4, `${variant}: ${games}`);
    }
  });
