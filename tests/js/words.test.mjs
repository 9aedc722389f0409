/** Words with placeholders and plural forms, and the script that brings them. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { build } from 'esbuild';
import { boardLibrary } from '../../static/board_library.mjs';
import { ENTRIES } from '../../static/entries.mjs';
import { refusalWords } from '../../static/js/round/words.js';
import { setCatalogue, shuffledName, t } from '../../static/js/words.js';
import { apart, asked, catalogues, isOfEveryPage, moreWordsScript, wordsScript } from '../../static/words.mjs';
import { english } from './english.mjs';

const WORDS = new URL('../../server/words', import.meta.url).pathname;
/** The rule of Polish, which has three forms. */
const POLISH = 'n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2';

/** What a page finds when this script has run before its own. */
function run(script) {
  const page = {};
  new Function('globalThis', script)(page);
  return page.WORDS;
}

after(() => setCatalogue(english));

test('placeholders are filled; a value that is not given leaves its place', () => {
  setCatalogue({ plural: () => 0, texts: { 'x.greet': 'Hello {name}, {name}! You are {n}.' } });
  assert.equal(t('x.greet', { name: 'Ana $& {n}', n: 7 }), 'Hello Ana $& {n}, Ana $& {n}! You are 7.');
  assert.equal(t('x.greet', { name: 'Ana' }), 'Hello Ana, Ana! You are {n}.');
});

test("plural forms go by the rule of the language, built from gettext's words", () => {
  const words = run(wordsScript({ 'x.games': ['{n} partia', '{n} partie', '{n} partii'] }, POLISH));
  setCatalogue(words);
  assert.deepEqual(
    [0, 1, 2, 5, 12, 21, 22, 112].map(n => t('x.games', { n })),
    ['0 partii', '1 partia', '2 partie', '5 partii', '12 partii', '21 partii', '22 partie', '112 partii'],
  );
});

test('a missing text is an error here', () => {
  setCatalogue(english);
  assert.throws(() => t('round.no_such_text'), /round\.no_such_text/);
});

test('scripts ask for a text by its key or by the beginning of one, and for no other', async () => {
  const wanted = await asked(new URL('../../static/js', import.meta.url).pathname);
  for (const key of ['buttons.pause', 'results.checkmate', 'refusals.not_your_turn']) assert.ok(wanted(key), key);
  for (const key of ['replay.pau', 'ratings.lead', 'nav.account']) assert.ok(!wanted(key), key);
});

test('each language has a script, with only the texts that are asked for', async () => {
  const made = await catalogues(WORDS, key => key.startsWith('results.'));
  assert.ok(made.length > 1);
  for (const [code, texts, plural] of made) {
    assert.ok(
      Object.keys(texts).every(key => key.startsWith('results.')),
      code,
    );
    assert.equal(run(wordsScript(texts, plural)).texts['results.checkmate'], texts['results.checkmate']);
  }
  assert.notEqual(made[0][1]['results.checkmate'], made[1][1]['results.checkmate']);
});

test('what only some pages name comes to them in a script of its own', () => {
  const texts = { 'round.draw': 'Draw', 'board.title': 'Board', 'editor.none': ['a', 'b'], 'engine.even': 'Even' };
  const { everywhere, more, engine } = apart(texts, key => key === 'round.draw');
  assert.deepEqual(
    [everywhere, more, engine].map(part => Object.keys(part)),
    [['round.draw'], ['board.title', 'editor.none'], ['engine.even']],
  );
  const page = { WORDS: { texts: { ...everywhere } } };
  new Function('WORDS', moreWordsScript(more))(page.WORDS);
  assert.deepEqual(page.WORDS.texts, { ...everywhere, ...more });
});

test('each page whose script names them loads them', async () => {
  const folder = new URL('../../', import.meta.url).pathname;
  const { metafile } = await build({
    entryPoints: ENTRIES,
    absWorkingDir: `${folder}static`,
    outdir: 'dist',
    bundle: true,
    format: 'esm',
    metafile: true,
    write: false,
    plugins: [boardLibrary],
  });
  const read = path => readFileSync(`${folder}${path}`, 'utf8');
  const templates = readdirSync(`${folder}templates`, { recursive: true })
    .filter(name => name.endsWith('.html'))
    .map(name => read(`templates/${name}`));
  const scripts = `${folder}static/js`;
  const [, texts] = (await catalogues(WORDS, await asked(scripts))).find(([code]) => code === 'en');
  const { more } = apart(texts, await asked(scripts, isOfEveryPage));
  let found = 0;
  for (const { entryPoint, inputs } of Object.values(metafile.outputs)) {
    const named = await asked(scripts, name => `js/${name}` in inputs);
    if (!Object.keys(more).some(named)) continue;
    const script = `asset('${entryPoint.split('/').pop()}')`;
    const pages = templates.filter(text => text.includes(script));
    assert.ok(pages.length && pages.every(text => /more_words = "(more|analysis)"/.test(text)), script);
    found++;
  }
  assert.equal(found, 4);
});

test('a refusal is found by its id, and stays as the server said it if this page does not know it', () => {
  setCatalogue({
    plural: () => 0,
    texts: { 'refusals.not_your_turn': 'Le toca a tu rival.', 'refusals.illegal': '{move} no es legal.' },
  });
  assert.equal(refusalWords({ refusal: 'not_your_turn', message: 'In other words.' }), 'Le toca a tu rival.');
  assert.equal(
    refusalWords({ refusal: 'illegal', params: { move: 'e2e5' }, message: 'e2e5 is not legal.' }),
    'e2e5 no es legal.',
  );
  assert.equal(refusalWords({ refusal: 'new', message: 'Something new.' }), 'Something new.');
});

test('a 960 form is one word if its variant is', () => {
  assert.equal(shuffledName('Chess'), 'Chess960');
  assert.equal(shuffledName('Ajedrez de Capablanca'), 'Ajedrez de Capablanca 960');
});
