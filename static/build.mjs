/**
 * Builds what the browser loads: one script for each page (static/js/pages/*.js), and for each part of a page that is loaded only
 * when somebody asks for it (static/entries.mjs), one style sheet (site.css and the drawings
 * of the pieces) and one for each page whose own styles are many, into static/dist, with hashed names, a .br and a .gz beside
 * each file, and manifest.json, which maps "round.js" to its hashed name. Also pieces.json and piece_sets.json: the drawings
 * and the sets' colours, for boards that the server draws. Knows nothing about the pages themselves.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build } from 'esbuild';
import { boardLibrary } from './board_library.mjs';
import { ENTRIES, WORKERS } from './entries.mjs';
import boardsCss from './pieces/boards.mjs';
import piecesCss, { allSetsCss, setCss } from './pieces/css.mjs';
import { DRAWINGS } from './pieces/drawings.mjs';
import { PIECE_SETS } from './pieces/piece_sets.mjs';
import { inRem } from './rem.mjs';
import { apart, asked, catalogues, isOfEveryPage, moreWordsScript, wordsScript } from './words.mjs';

const STATIC = dirname(fileURLToPath(import.meta.url));
const DIST = join(STATIC, 'dist');

/** The styles of some pages and of the engine, which all others do without: their templates name them. */
const OWN_STYLES = [
  'embed',
  'screen',
  'reading',
  'pages/lesson',
  'pages/profile',
  'analysis',
  'engine',
  'puzzle',
  'conditional',
  'decided',
  'game/computer',
  'game/keys',
  'game/games_beside',
  'game/game_alone',
  'game/tournament_game',
  'pages/watch',
  'pages/tournament',
].map(name => `css/${name}.css`);

/** Lets lengths grow with the text, and adds the colours of the boards and the drawings of the pieces to site.css. */
const ownCss = {
  name: 'own-css',
  /** @param {import('esbuild').PluginBuild} context */
  setup(context) {
    context.onLoad({ filter: /[\\/]static[\\/]css[\\/].*\.css$/ }, async ({ path }) => {
      const drawn = basename(path) === 'site.css' ? `\n${boardsCss()}\n${piecesCss()}` : '';
      return { contents: inRem(await readFile(path, 'utf8')) + drawn, loader: 'css' };
    });
  },
};

/** The style sheets of the other piece sets, for those who chose one, and of all together: contents by name.
 * @type {[string, Buffer][]} */
const otherSets = [
  ...Object.keys(PIECE_SETS)
    .slice(1)
    .map(set => /** @type {[string, Buffer]} */ ([`pieces-${set}.css`, Buffer.from(setCss(/** @type {any} */ (set)))])),
  ['pieces.css', Buffer.from(allSetsCss())],
];

const SCRIPTS = join(STATIC, 'js');
const onEveryPage = await asked(SCRIPTS, isOfEveryPage);
/** The words that scripts need: contents by name. @type {[string, Buffer][]} */
const languages = (await catalogues(join(STATIC, '../server/words'), await asked(SCRIPTS))).flatMap(
  ([code, texts, plural]) => {
    const { everywhere, more, engine } = apart(texts, onEveryPage);
    return [
      [`words-${code}.js`, Buffer.from(wordsScript(everywhere, plural))],
      [`words-more-${code}.js`, Buffer.from(moreWordsScript(more))],
      [`words-analysis-${code}.js`, Buffer.from(moreWordsScript({ ...more, ...engine }))],
      [`words-engine-${code}.js`, Buffer.from(moreWordsScript(engine))],
    ];
  },
);

/** @param {string} name @param {Uint8Array} contents */
const hashed = (name, contents) =>
  name.replace(/(\.\w+)$/, `-${createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase()}$1`);

/** @param {string} path @param {Uint8Array} contents */
async function writeCompressed(path, contents) {
  await writeFile(path, contents);
  await writeFile(`${path}.gz`, await promisify(gzip)(contents, { level: 9 }));
  await writeFile(`${path}.br`, await promisify(brotliCompress)(contents));
}

const MODULES = join(STATIC, '../node_modules');
const STRONG = join(MODULES, 'fairy-stockfish-nnue.wasm');

/** Fairy-Stockfish as its package has it, loaded only by who chooses it: contents by name. @type {[string, Buffer][]} */
const strongEngine = await Promise.all(
  ['js', 'worker.js', 'wasm'].map(
    async kind =>
      /** @type {[string, Buffer]} */ ([`fairy-stockfish.${kind}`, await readFile(join(STRONG, `stockfish.${kind}`))]),
  ),
);
/** What a browser loads of it, nearly: a better compression would take seconds more here. */
const megabytes =
  (await promisify(gzip)(Buffer.concat(strongEngine.map(([, contents]) => contents)), { level: 6 })).length / 1e6;

/** What each licence asks to go along with what it covers: contents by name. @type {[string, Buffer][]} */
const licences = await Promise.all(
  [
    ['fairyhouse', join(STATIC, '../LICENSE')],
    ['chessgroundx', join(MODULES, 'chessgroundx/LICENSE')],
    ['figtree', join(MODULES, '@fontsource/figtree/LICENSE')],
    ['fairy-stockfish', join(STRONG, 'Copying.txt')],
  ].map(async ([name, path]) => /** @type {[string, Buffer]} */ ([`licence-${name}.txt`, await readFile(path)])),
);

/** @type {import('esbuild').BuildOptions} */
const COMMON = {
  absWorkingDir: STATIC,
  entryNames: '[name]-[hash]',
  outdir: DIST,
  bundle: true,
  minify: true,
  target: 'es2022',
  legalComments: 'none',
  metafile: true,
  write: false,
};

/** A worker of the kind that can load scripts which are no modules, as the package has them. */
const host = await build({
  ...COMMON,
  entryPoints: [{ in: 'js/explain/fairy_stockfish_host.js', out: 'fairy-stockfish-host' }],
  format: 'iife',
});

const result = await build({
  ...COMMON,
  entryPoints: [...ENTRIES, ...WORKERS, 'css/site.css', ...OWN_STYLES],
  format: 'esm',
  define: { MEGABYTES: JSON.stringify(megabytes.toFixed(1)) },
  plugins: [boardLibrary, ownCss],
  loader: { '.woff2': 'file' },
});

/**
 * Browsers keep a file with its headers. Those of the engine's worker once did not let it run on isolated pages, so that it has
 * another address since. @param {string} path
 */
const builtName = path => basename(path).replace(/^worker-/, 'worker-i');

await rm(DIST, { recursive: true, force: true });
await mkdir(DIST, { recursive: true });
/** @type {Record<string, string>} */
const manifest = {};
for (const [output, { entryPoint, inputs }] of Object.entries(result.metafile.outputs))
  manifest[basename(entryPoint ?? Object.keys(inputs)[0])] = builtName(output);
const [worker] = host.outputFiles ?? [];
const strongHost = /** @type {[string, Buffer]} */ (['fairy-stockfish-host.js', Buffer.from(worker.contents)]);
for (const [name, contents] of [...otherSets, ...languages, ...strongEngine, strongHost, ...licences]) {
  manifest[name] = hashed(name, contents);
  await writeCompressed(join(DIST, manifest[name]), contents);
}
await Promise.all(
  result.outputFiles.map(({ path, contents }) =>
    // A typeface is compressed already.
    path.endsWith('.woff2')
      ? writeFile(join(DIST, builtName(path)), contents)
      : writeCompressed(join(DIST, builtName(path)), contents),
  ),
);
await writeFile(join(DIST, 'manifest.json'), JSON.stringify(manifest, null, 2));
await writeFile(join(DIST, 'pieces.json'), JSON.stringify(DRAWINGS));
await writeFile(join(DIST, 'piece_sets.json'), JSON.stringify(PIECE_SETS));
