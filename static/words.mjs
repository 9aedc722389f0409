/**
 * Turns the catalogues of server/words into scripts, three per language: one that every page loads before its own, one more
 * for some, and one that comes with the engine. They have only the areas that static/js names. Knows no page.
 */
import { readFile, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** @param {string} scripts the folder of the pages' scripts @returns {Promise<Set<string>>} areas that they name */
export async function areasIn(scripts) {
  const names = (await readdir(scripts, { recursive: true })).filter(name => name.endsWith('.js'));
  const texts = await Promise.all(names.map(name => readFile(join(scripts, name), 'utf8')));
  return new Set(texts.flatMap(text => [...text.matchAll(/['"`]([a-z_]+)\.[a-z0-9_$-]/g)].map(([, area]) => area)));
}

/**
 * @param {string} words the folder of all languages @param {Set<string>} areas
 * @returns {Promise<[string, Record<string, string | string[]>, string][]>} code, texts and plural rule of each
 */
export async function catalogues(words, areas) {
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
        return areas.has(area) ? Object.entries(contents[index]).map(([key, text]) => [`${area}.${key}`, text]) : [];
      });
      return [code, Object.fromEntries(texts), contents[files.indexOf('language.json')].plural];
    }),
  );
}

/** Areas that only some pages name, which load them besides; the game, whose page is the largest, does without. */
export const ON_SOME_PAGES = new Set(['analysis', 'annotations', 'chapters', 'editor', 'home', 'watch']);

/** And those that come with the engine's switch. */
const OF_THE_ENGINE = new Set(['engine', 'game_report', 'thoughts']);

/**
 * @param {Record<string, string | string[]>} texts
 * @returns {Record<'everywhere' | 'more' | 'engine', Record<string, string | string[]>>} those for every page, those for some, and those that a
 *   page loads late
 */
export function apart(texts) {
  const placeOf = (/** @type {string} */ key) => {
    const area = key.slice(0, key.indexOf('.'));
    return ON_SOME_PAGES.has(area) ? 'more' : OF_THE_ENGINE.has(area) ? 'engine' : 'everywhere';
  };
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
