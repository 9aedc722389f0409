/** What a game on TV says when it leaves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.mjs';
import { overWords } from '../../../static/js/tv/tv_game.js';

test('a game that leaves the TV page says how it ended, or that it is adjourned', () => {
  assert.equal(overWords('1-0'), 'Finished: 1-0');
  assert.equal(overWords('1/2-1/2'), 'Finished: ½-½');
  assert.equal(overWords(undefined), 'adjourned');
});
