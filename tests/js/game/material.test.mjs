import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFen } from '../../../static/js/board/position.js';
import { surplus } from '../../../static/js/game/material.js';

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
    p: { moves: [step] },
    r: { moves: [slides] },
    q: { moves: [slides, slides] },
    k: { royal: true, moves: [step] },
  },
  drops: null,
});

test('equal sides have taken nothing from each other', () => {
  const position = parseFen('rk/pp/8/PP/RK w - - 0 1');
  assert.deepEqual(surplus(VARIANT, position), { white: [], black: [] });
});

test('each side shows what it has more of, the most mobile first, and never kings', () => {
  const position = parseFen('k1/pp/pp/8/RQ/K1 w - - 0 1');
  assert.deepEqual(surplus(VARIANT, position), { white: ['q', 'r'], black: ['p', 'p', 'p', 'p'] });
});

test('what waits in a pocket has not been taken', () => {
  const position = parseFen('k/8/K[Rr] w - - 0 1');
  assert.deepEqual(surplus(VARIANT, position), { white: [], black: [] });
});

test('where captured pieces come back as drops there is nothing to show', () => {
  const position = parseFen('k1/8/RQ/K1 w - - 0 1');
  assert.deepEqual(surplus({ ...VARIANT, drops: {} }, position), { white: [], black: [] });
});
