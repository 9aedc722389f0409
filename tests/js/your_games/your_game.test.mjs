/** What the tile of one's running game says of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { english } from '../english.mjs';
import { formatClock } from '../../../static/js/game/clock.js';
import { isUrgent, timeLeft, stateWords } from '../../../static/js/your_games/your_game.js';
import { personName, setCatalogue } from '../../../static/js/words.js';

const game = { id: 'abcdefghij', variant: 'chess', by: 'Bo' };

test('a game of the strip says how it stands, and one that waits for the reader stands out', () => {
  const shown = more => [stateWords({ ...game, ...more }), isUrgent({ ...game, ...more })];
  assert.deepEqual(shown({ live: 1 }), ['being played now', true]);
  assert.deepEqual(shown({ live: 1, to_move: 1 }), ['being played now · your turn', true]);
  assert.deepEqual(shown({ turn: 1 }), ['your turn', true]);
  assert.deepEqual(shown({}), ['their turn', false]);
  assert.deepEqual(shown({ away: Date.UTC(2026, 7, 4) }), ['their turn · away until 3 August', false]);
  assert.deepEqual(shown({ turn: 1, away: Date.UTC(2026, 7, 4) }), ['your turn · away until 3 August', true]);
  assert.deepEqual(shown({ adjourned: 'nobody' }), ['adjourned', false]);
  assert.deepEqual(shown({ adjourned: 'you' }), ['adjourned; you are ready to resume', false]);
  assert.deepEqual(shown({ adjourned: 'opponent' }), ['adjourned; your opponent is ready to resume', true]);
  assert.deepEqual(shown({ adjourned: 'paused' }), ['paused', false]);
  assert.deepEqual(shown({ claimable: 1 }), ['their time is up; you can claim the game', true]);
  assert.deepEqual(shown({ adjourned: 'both' }), ['adjourned; it resumes when you are both there', false]);
});

test('a tile says how long is left, in the largest unit, unless somebody is away or it stands still', () => {
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
  for (const [ms, said] of [
    [0, '0 min'],
    [hour - 1, '59 min'],
    [hour, '1 h'],
    [day - 1, '23 h'],
    [day, '1 d'],
    [3 * day - 1, '3 d'],
    [2 * day + 22 * hour, '2 d'],
    [14 * day, '14 d'],
    [minute - day, '0 min'],
  ])
    assert.equal(timeLeft(ms), said);
  assert.equal(stateWords({ ...game, turn: 1, left: 7 * hour }), 'your turn · 7 h');
  assert.equal(stateWords({ ...game, left: 2 * day }), 'their turn · 2 d');
  assert.equal(stateWords({ ...game, adjourned: 'nobody', left: day }), 'adjourned');
  assert.equal(stateWords({ ...game, live: 1 }), 'being played now');
});

test('a tile shows of the days that are left what the clock of the game shows', () => {
  for (let minutes = 24 * 60; minutes < 5 * 24 * 60; minutes += 7) {
    const left = minutes * 60_000 - 1;
    if (left >= 86_400_000)
      assert.equal(
        timeLeft(left),
        formatClock(left)
          .replace(/\u202f/gu, ' ')
          .slice(0, 3),
      );
  }
});

test('the computer is called so in the language, at its level', () => {
  setCatalogue({ ...english, texts: { ...english.texts, 'computer.name': 'Ordenador (nivel {level})' } });
  assert.equal(personName('Computer (level 7)'), 'Ordenador (nivel 7)');
  for (const name of ['Computer', 'Computer (level 12)', 'a Computer (level 7)']) assert.equal(personName(name), name);
  setCatalogue(english);
});

test('a name that a guest has chosen is marked in the language', () => {
  setCatalogue({ ...english, texts: { ...english.texts, 'round.guest_named': 'invitado: {name}' } });
  assert.equal(personName('guest: Zoe'), 'invitado: Zoe');
  assert.equal(personName('guest'), 'guest');
  setCatalogue(english);
});

test('the name of a deleted account is a word of the language', () => {
  assert.equal(personName('(deleted)'), '(deleted)');
  assert.equal(personName('Anna'), 'Anna');
  setCatalogue({ ...english, texts: { ...english.texts, 'round.deleted_account': 'cuenta borrada' } });
  assert.equal(personName('(deleted)'), 'cuenta borrada');
  assert.equal(personName('deleted'), 'deleted');
  setCatalogue(english);
});
