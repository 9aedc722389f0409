/** What the reader's preferences say about every board. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { followPreferences } from '../../../static/js/board/board_preferences.js';

/** What a board hears, for a page whose first tag has these attributes. @param {Record<string, string>} dataset */
function heard(dataset, reduced = false) {
  const listeners = [];
  globalThis.matchMedia = /** @type {any} */ (() => ({ matches: reduced }));
  globalThis.document = /** @type {any} */ ({
    documentElement: { dataset },
    addEventListener: (_, listener) => listeners.push(listener),
  });
  const all = [];
  followPreferences(preferences => all.push(preferences));
  const change = () => {
    for (const listener of listeners) listener();
  };
  return { all, change };
}

test('without a choice pieces glide quickly, premoves and targets are on', () => {
  const [preferences] = heard({}).all;
  assert.equal(preferences.animation.enabled, true);
  assert.equal(preferences.movable.showDests, true);
  assert.equal(preferences.premovable.enabled, true);
});

test('pieces glide longer when they glide slowly, and not at all with reduced motion', () => {
  const of = (animation, reduced) => heard({ animation }, reduced).all[0].animation;
  assert.ok(of('slow').duration > of('quick').duration);
  assert.equal(of('off').enabled, false);
  for (const animation of ['quick', 'slow']) assert.equal(of(animation, true).enabled, false);
});

test('a board hears of each change', () => {
  const dataset = { premove: 'on', targets: 'on' };
  const { all, change } = heard(dataset);
  dataset.premove = dataset.targets = 'off';
  change();
  assert.equal(all.length, 2);
  assert.equal(all[1].premovable.enabled, false);
  assert.equal(all[1].movable.showDests, false);
});
