/**
 * Turns the catalogues of server/words into scripts, four per language: one that every page loads before its own, one more
 * for some, one that comes with the engine, and both of these for the analysis board, which has the engine at once. They have only the texts that static/js asks for. Knows no page.
 */
import { readFile, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A text that a script asks for: by its whole key, or by the beginning of one that is put together. */
const ASKED = /['"`]([a-z_]+\.[a-z0-9_]*)(['"`]|\$\{)/g;

/** Scripts that only pages have which load more words: the front page and the analysis board. */
const OF_SOME_PAGES = /^(analysis|editor|embed|home|openings|report|studies)\/|^pages\/(analysis|embed|home)\.js$/;

/** Those of a frame on another site, whose page has its few words itself. */
const OF_FRAMES = /^embed\/|^pages\/embed\.js$/;

/** @param {string} name a script's path in the folder of all */
export const isOfEveryPage = name => !OF_SOME_PAGES.test(name);

/**
 * @param {string} scripts the folder of the pages' scripts @param {(name: string) => boolean} [which] of them
 * @returns {Promise<(key: string) => boolean>} whether any of them asks for the text of that key
 */
export async function asked(scripts, which = name => !OF_FRAMES.test(name)) {
  const names = (await readdir(scripts, { recursive: true })).filter(name => name.endsWith('.js') && which(name));
  const texts = await Promise.all(names.map(name => readFile(join(scripts, name), 'utf8')));
  const found = texts.flatMap(text => [...text.matchAll(ASKED)]);
  const whole = new Set(found.filter(([, , end]) => end !== '${').map(([, key]) => key));
  const beginnings = [...new Set(found.filter(([, , end]) => end === '${').map(([, key]) => key))];
  return key => whole.has(key) || beginnings.some(start => key.startsWith(start));
}

/**
 * @param {string} words the folder of all languages @param {(key: string) => boolean} wanted
 * @returns {Promise<[string, Record<string, string | string[]>, string][]>} code, texts and plural rule of each
 */
export async function catalogues(words, wanted) {
  const codes = (await readdir(words, { withFileTypes: true }))
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name);
  return Promise.all(
    codes.map(async code => {
      const files = (await readdir(join(words, code))).filter(name => name.endsWith('.json'));
      const contents = await Promise.all(
        files.map(async name => JSON.parse(await readFile(join(words, code, name), 'utf8'))),
      );
      const texts = files.flatMap((file, index) => {
        const area = basename(file, '.json');
        return Object.entries(contents[index]).map(([key, text]) => [`${area}.${key}`, text]);
      });
      return [
        code,
        Object.fromEntries(texts.filter(([key]) => wanted(key))),
        contents[files.indexOf('language.json')].plural,
      ];
    }),
  );
}

/** What comes with the engine's switch. */
const OF_THE_ENGINE = new Set(['engine', 'game_report', 'thoughts']);

/**
 * @param {Record<string, string | string[]>} texts @param {(key: string) => boolean} onEveryPage whether any page may ask for it
 * @returns {Record<'everywhere' | 'more' | 'engine', Record<string, string | string[]>>} those for every page, those for some, and those that a
 *   page loads late
 */
export function apart(texts, onEveryPage) {
  const placeOf = (/** @type {string} */ key) =>
    OF_THE_ENGINE.has(key.slice(0, key.indexOf('.'))) ? 'engine' : onEveryPage(key) ? 'everywhere' : 'more';
  const [everywhere, more, engine] = ['everywhere', 'more', 'engine'].map(place =>
    Object.fromEntries(Object.entries(texts).filter(([key]) => placeOf(key) === place)),
  );
  return { everywhere, more, engine };
}

/** The plural rule is gettext's: an expression in C, which is also valid JavaScript.
 * @param {Record<string, string | string[]>} texts @param {string} plural */
export const wordsScript = (texts, plural) =>
  `globalThis.WORDS={plural:n=>Number(${plural}),texts:${JSON.stringify(texts)}};\n`;

/** Adds texts to those of `wordsScript`, which comes first. @param {Record<string, string | string[]>} texts */
export const moreWordsScript = texts => `Object.assign(WORDS.texts,${JSON.stringify(texts)});\n`;
