import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.mjs';
import { isUrgent, stateWords } from '../../../static/js/home/games_strip.js';

const game = { id: 'abcdefghij', variant: 'chess', by: 'Bo' };

test('a game of the strip says how it stands, and one that waits for the reader stands out', () => {
  const shown = more => [stateWords({ ...game, ...more }), isUrgent({ ...game, ...more })];
  assert.deepEqual(shown({ live: 1 }), ['being played now', true]);
  assert.deepEqual(shown({ turn: 1 }), ['your turn', true]);
  assert.deepEqual(shown({}), ['their turn', false]);
  assert.deepEqual(shown({ away: Date.UTC(2026, 7, 4) }), ['their turn · away until 3 August', false]);
  assert.deepEqual(shown({ turn: 1, away: Date.UTC(2026, 7, 4) }), ['your turn · away until 3 August', true]);
  assert.deepEqual(shown({ adjourned: 'nobody' }), ['adjourned', false]);
  assert.deepEqual(shown({ adjourned: 'you' }), ['adjourned; you are ready to resume', false]);
  assert.deepEqual(shown({ adjourned: 'opponent' }), ['adjourned; your opponent is ready to resume', true]);
  assert.deepEqual(shown({ adjourned: 'paused' }), ['paused', false]);
  assert.deepEqual(shown({ claimable: 1 }), ['their time is over; you can claim the game', true]);
  assert.deepEqual(shown({ adjourned: 'both' }), ['adjourned; it resumes when you are both there', false]);
});
