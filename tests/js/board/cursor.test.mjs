/** The keyboard's cursor over the squares and through the pockets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.mjs';
import { step } from '../../../static/js/board/keyboard.js';
import { acedrex, chess, crazyhouse, grand, seirawan, shogun } from '../variants.mjs';

const VARIANTS = [chess, crazyhouse, seirawan, shogun, grand, acedrex];
const ARROWS = { right: [1, 0], left: [-1, 0], up: [0, 1], down: [0, -1] };
const OPPOSITE = { right: 'left', left: 'right', up: 'down', down: 'up' };
const tables = variant =>
  ['white', 'black'].flatMap(orientation =>
    [true, false].map(beside => ({ orientation, beside, kinds: variant.pocketRoles.length })),
  );
const name = cursor => JSON.stringify(cursor);

/** Every place that the arrows reach from the corner. */
function reached(variant, table) {
  const seen = new Map();
  const open = [{ at: 'board', x: 0, y: 0 }];
  for (let here = open.pop(); here; here = open.pop()) {
    if (seen.has(name(here))) continue;
    seen.set(name(here), here);
    open.push(...Object.values(ARROWS).map(arrow => step(here, arrow, table, variant)));
  }
  return [...seen.values()];
}

test('the arrows reach every square and every place of both pockets', () => {
  for (const variant of VARIANTS)
    for (const table of tables(variant))
      assert.equal(
        reached(variant, table).length,
        variant.files * variant.ranks + 2 * table.kinds,
        `${variant.id} ${name(table)}`,
      );
});

test('on the board the opposite arrow leads back', () => {
  for (const variant of VARIANTS)
    for (const table of tables(variant))
      for (const here of reached(variant, table).filter(({ at }) => at === 'board'))
        for (const [way, arrow] of Object.entries(ARROWS)) {
          const there = step(here, arrow, table, variant);
          if (there.at === 'board' && there !== here)
            assert.deepEqual(step(there, ARROWS[OPPOSITE[way]], table, variant), here);
        }
});

test('a pocket is where it is drawn: beside the board it is not below it', () => {
  for (const variant of VARIANTS.filter(({ pocketRoles }) => pocketRoles.length))
    for (const table of tables(variant)) {
      const corner =
        table.orientation === 'white'
          ? { at: 'board', x: variant.files - 1, y: 0 }
          : { at: 'board', x: 0, y: variant.ranks - 1 };
      const own = { at: 'pocket', color: table.orientation, index: 0 };
      assert.deepEqual(step(corner, ARROWS.right, table, variant), table.beside ? own : corner);
      const below = step(corner, ARROWS.down, table, variant);
      assert.equal(below.at, table.beside ? 'board' : 'pocket');
    }
});

test('the two columns of pockets meet in the middle', () => {
  const table = { orientation: 'white', beside: true, kinds: 5 };
  const top = { at: 'pocket', color: 'white', index: 4 };
  assert.deepEqual(step(top, ARROWS.up, table, crazyhouse), { at: 'pocket', color: 'black', index: 4 });
  assert.deepEqual(step({ at: 'pocket', color: 'black', index: 4 }, ARROWS.down, table, crazyhouse), top);
});

test('from a square at the edge, the pocket below or above it is entered at the nearest place, on both sides', () => {
  for (const variant of VARIANTS.filter(({ pocketRoles }) => pocketRoles.length))
    for (const table of tables(variant).filter(({ beside }) => !beside))
      for (let column = 0; column < variant.files; column++) {
        const white = table.orientation === 'white';
        const here = { at: 'board', x: white ? column : variant.files - 1 - column, y: white ? 0 : variant.ranks - 1 };
        const index = Math.min(column, table.kinds - 1);
        const there = step(here, ARROWS.down, table, variant);
        assert.deepEqual(there, { at: 'pocket', color: table.orientation, index }, `${variant.id} ${name(table)}`);
        if (column === index) assert.deepEqual(step(there, ARROWS.up, table, variant), here);
      }
});
