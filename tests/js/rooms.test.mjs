/** The client's modules import one way: from pages down to words. What is imported for its types alone does not count. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { build } from 'esbuild';
import { boardLibrary } from '../../static/board_library.mjs';
import { ENTRIES, WORKERS } from '../../static/entries.mjs';

/** Each folder of static/js imports only from those after it; single modules stand by their names. */
const ORDER = [
  'pages',
  'analysis',
  'embed',
  'home',
  'round',
  'report',
  'computer',
  'offline',
  'editor',
  'puzzles',
  'openings',
  'studies',
  'rules',
  'tv',
  'notifications',
  'your_games',
  'explain',
  'engine',
  'ui',
  'game',
  'board',
  'net',
  'storage',
  'words',
];
/** Installed in browsers by itself. */
const APART = ['service_worker', 'worker'];

const { metafile } = await build({
  entryPoints: [...ENTRIES, ...WORKERS],
  absWorkingDir: new URL('../../static', import.meta.url).pathname,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  metafile: true,
  write: false,
  plugins: [boardLibrary],
});

/** @param {string} path @returns {string | undefined} undefined: it is not one of the client's own modules */
const roomOf = path => /^js\/(\w+)/.exec(path)?.[1];

/** Every import of one of the client's own modules by another. @type {[string, string][]} */
const imports = Object.entries(metafile.inputs)
  .filter(([path]) => roomOf(path))
  .flatMap(([from, { imports }]) => imports.map(({ path }) => /** @type {[string, string]} */ ([from, path])))
  .filter(([, to]) => roomOf(to));

test('every folder has its place in the order', () => {
  const rooms = new Set(Object.keys(metafile.inputs).map(roomOf));
  const unknown = [...rooms].filter(room => room && ![...ORDER, ...APART].includes(room));
  assert.deepEqual(unknown, [], 'give it a place in ORDER, and in the map of docs/architecture.md');
});

test('no module imports from a folder above its own', () => {
  assert.ok(imports.length > 500);
  const upwards = imports.filter(([from, to]) => ORDER.indexOf(roomOf(to) ?? '') < ORDER.indexOf(roomOf(from) ?? ''));
  assert.deepEqual(upwards, []);
});

test('no module needs itself, by whatever way', () => {
  /** @type {Map<string, string[]>} */
  const needs = new Map();
  for (const [from, to] of imports) needs.set(from, [...(needs.get(from) ?? []), to]);
  const settled = new Set();
  /** @param {string} path @param {string[]} way */
  function follow(path, way) {
    assert.ok(!way.includes(path), [...way, path].join(' > '));
    if (settled.has(path)) return;
    for (const to of needs.get(path) ?? []) follow(to, [...way, path]);
    settled.add(path);
  }
  for (const path of needs.keys()) follow(path, []);
});
