/** The drawings: every kind that a variant names has one, the stylesheet stays small, and letters stay the variant's own. */
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import boards from '../../server/pictures/boards.json' with { type: 'json' };
import boardsCss from '../../static/pieces/boards.mjs';
import piecesCss, { setCss } from '../../static/pieces/css.mjs';
import { PIECE_SETS } from '../../static/pieces/piece_sets.mjs';
import { DRAWINGS } from '../../static/pieces/drawings.mjs';
import { styleBoard } from '../../static/pieces/board_style.mjs';

/** Of the page only the chosen appearance matters here, what is in it, and who wants to hear of another choice. */
const page = {
  documentElement: { dataset: /** @type {Record<string, string>} */ ({}) },
  listeners: /** @type {Set<() => void>} */ (new Set()),
  addEventListener(/** @type {string} */ _name, /** @type {() => void} */ listener) {
    this.listeners.add(listener);
  },
  inside: /** @type {unknown[]} */ ([]),
  querySelectorAll() {
    return this.inside;
  },
};
globalThis.document = /** @type {any} */ (page);

const VARIANTS = new URL('../../server/rules/data/variants/', import.meta.url);
const BUDGET_BYTES = 8 * 1024;
const OTHER_SETS = /** @type {(keyof typeof PIECE_SETS)[]} */ (Object.keys(PIECE_SETS).slice(1));

/** A styled element, and what styleBoard() has written on it. @param {Omit<Parameters<typeof styleBoard>[1], 'pocketRoles'>} variant */
function styled(variant) {
  const properties = new Map();
  const style = {
    setProperty: (/** @type {string} */ name, /** @type {string} */ value) => properties.set(name, value),
  };
  const element = /** @type {any} */ ({ style, dataset: {} });
  styleBoard(element, { ...variant, pocketRoles: [] });
  return { element, properties };
}

/** @param {Parameters<typeof styled>[0]} variant */
const propertiesOf = variant => styled(variant).properties;

test('every kind of piece that a variant file names has a drawing in each style', async () => {
  const files = (await readdir(VARIANTS)).filter(name => name.endsWith('.toml'));
  const texts = await Promise.all(files.map(name => readFile(new URL(name, VARIANTS), 'utf8')));
  const kinds = new Set(
    texts.flatMap(text => [...text.matchAll(/name = "([a-z]+)", .*move = /g)].map(([, kind]) => kind)),
  );
  assert.ok(kinds.size >= 19, `only ${kinds.size} kinds were found in the variant files`);
  for (const drawn of Object.values(DRAWINGS)) {
    assert.deepEqual(
      [...kinds].filter(kind => !(kind in drawn)),
      [],
    );
    assert.equal(new Set(Object.values(drawn)).size, Object.keys(drawn).length, 'two kinds look alike');
  }
});

test('the stylesheet of the pieces keeps to its part of the budget', () => {
  assert.ok(gzipSync(piecesCss()).length <= BUDGET_BYTES);
  for (const set of OTHER_SETS) assert.ok(gzipSync(setCss(set)).length <= BUDGET_BYTES, set);
});

test('the same letter is another kind in another variant', () => {
  const chancellor = propertiesOf({ files: 10, ranks: 10, roles: { c: { name: 'chancellor' } } });
  const crocodile = propertiesOf({ files: 12, ranks: 12, roles: { c: { name: 'crocodile' } } });
  assert.match(chancellor.get('--c-white'), /^var\(--chancellor-white,/);
  assert.match(crocodile.get('--c-white'), /^var\(--crocodile-white,/);
  assert.equal(crocodile.get('--files'), '12');
});

test('a promoted kind has its own drawing, and then no mark for promoted pieces', () => {
  const army = propertiesOf({ files: 8, ranks: 8, roles: { n: { name: 'knight' }, '+n': { name: 'general' } } });
  assert.match(army.get('--pn-black'), /^var\(--general-black,/);
  assert.equal(army.get('--promoted-mark'), 'none');
  assert.equal(propertiesOf({ files: 8, ranks: 8, roles: { n: { name: 'knight' } } }).get('--promoted-mark'), 'block');
});

test('a kind that nobody has drawn shows its letter', () => {
  const value = propertiesOf({ files: 8, ranks: 8, roles: { w: { name: 'war machine' } } }).get('--w-black');
  assert.match(value, /^var\(--war-machine-black,url\("data:image\/svg\+xml,/);
  assert.match(decodeURIComponent(value), />W</);
});

test('who has chosen letters sees letters, or a letter upon each drawing', () => {
  const army = { files: 8, ranks: 8, roles: { n: { name: 'knight' } } };
  page.documentElement.dataset = { letters: 'on' };
  const marked = propertiesOf(army).get('--n-white');
  assert.match(decodeURIComponent(marked), />N<\/text>.*,var\(--knight-white,/s);
  page.documentElement.dataset = { pieces: 'letters' };
  assert.match(decodeURIComponent(propertiesOf(army).get('--n-white')), /^url\(.*>N<\/text>/s);
  assert.doesNotMatch(propertiesOf(army).get('--n-white'), /var\(/);
  page.documentElement.dataset = {};
});

test('what is in the page follows another choice, and no listener is kept for what has gone', () => {
  const army = { files: 8, ranks: 8, roles: { n: { name: 'knight' } } };
  const [stays, goes] = [styled(army), styled(army)];
  page.inside = [stays.element];
  page.documentElement.dataset = { pieces: 'letters' };
  assert.equal(page.listeners.size, 1);
  for (const listener of page.listeners) listener();
  assert.doesNotMatch(stays.properties.get('--n-white'), /var\(/);
  assert.match(goes.properties.get('--n-white'), /var\(/);
  page.documentElement.dataset = {};
});

test('another set has every drawing too, and is in no style sheet but its own', () => {
  for (const set of OTHER_SETS) {
    for (const color of ['white', 'black'])
      for (const kind of Object.keys(DRAWINGS.carved)) assert.ok(setCss(set).includes(`--${kind}-${color}:url(`));
    assert.ok(setCss(set).startsWith(`[data-pieces="${set}"]`));
    assert.ok(!piecesCss().includes(setCss(set).split('\n')[1]));
  }
  assert.notEqual(setCss('paper').slice(22), setCss('plain').slice(22));
});

test('every board has its colours, also on an element that wears another than the page', () => {
  const css = boardsCss();
  assert.ok(Object.keys(boards).length >= 8);
  for (const [name, { light, dark }] of Object.entries(boards))
    assert.match(css, new RegExp(`\\[data-board="${name}"\\]\\{--square-light:${light};--square-dark:${dark};`));
  assert.match(css, /^:root,\[data-board="sage"\]/);
});
