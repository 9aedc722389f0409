/** What each side has more of than the other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFen } from '../../../static/js/board/position.js';
import { lead, surplus } from '../../../static/js/round/panel/material.js';

const slides = {
  steps: [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ],
  max: 0,
  mode: 'both',
};
const step = { steps: [[0, 1]], max: 1, mode: 'both' };
const VARIANT = /** @type {any} */ ({
  roles: {
    p: { value: 1, moves: [step] },
    r: { value: 5, moves: [slides] },
    q: { value: 9, moves: [slides, slides] },
    k: { royal: true, value: 0, moves: [step] },
  },
  pocket: 'none',
});

test('equal sides have taken nothing from each other', () => {
  const position = parseFen('rk/pp/8/PP/RK w - - 0 1');
  assert.deepEqual(surplus(VARIANT, position), { white: [], black: [] });
});

test('each side shows what it has more of, the most valuable first, and never kings', () => {
  const position = parseFen('k1/pp/pp/8/RQ/K1 w - - 0 1');
  assert.deepEqual(surplus(VARIANT, position), { white: ['q', 'r'], black: ['p', 'p', 'p', 'p'] });
});

test('what waits in a pocket has not been taken', () => {
  const position = parseFen('k/8/K[Rr] w - - 0 1');
  assert.deepEqual(surplus(VARIANT, position), { white: [], black: [] });
});

test('where captured pieces come back as drops there is nothing to show', () => {
  const position = parseFen('k1/8/RQ/K1 w - - 0 1');
  for (const pocket of ['captures', 'gating+captures'])
    assert.deepEqual(surplus({ ...VARIANT, pocket }, position), { white: [], black: [] });
  for (const pocket of ['placement', 'gating'])
    assert.deepEqual(surplus({ ...VARIANT, pocket }, position), { white: ['q', 'r'], black: [] });
});

test('the leader is ahead by what the surplus of both is worth', () => {
  const ahead = fen => lead(VARIANT, surplus(VARIANT, parseFen(fen)));
  assert.equal(ahead('k1/pp/pp/8/RQ/K1 w - - 0 1'), 10);
  assert.equal(ahead('kr/8/PP/K1 w - - 0 1'), -3);
  assert.equal(ahead('k1/8/K1 w - - 0 1'), 0);
});

test('where the worth of a kind is not known, pieces are counted and the most mobile come first', () => {
  const roles = Object.fromEntries(Object.entries(VARIANT.roles).map(([id, role]) => [id, { ...role, value: 0 }]));
  const unknown = { ...VARIANT, roles };
  const more = surplus(unknown, parseFen('k1/pp/pp/8/RQ/K1 w - - 0 1'));
  assert.deepEqual(more, { white: ['q', 'r'], black: ['p', 'p', 'p', 'p'] });
  assert.equal(lead(unknown, more), -2);
});
