/**
 * Turns the catalogues of server/words into scripts, two per language, which a page loads before its own: one for every page,
 * and one more for some. They have only the areas that static/js names. Knows no page.
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
export const ON_SOME_PAGES = new Set(['analysis', 'home', 'watch']);

/**
 * @param {Record<string, string | string[]>} texts
 * @returns {Record<'everywhere' | 'more', Record<string, string | string[]>>} those for every page, and those for some
 */
export function apart(texts) {
  const isMore = (/** @type {string} */ key) => ON_SOME_PAGES.has(key.slice(0, key.indexOf('.')));
  const [everywhere, more] = [false, true].map(wanted =>
    Object.fromEntries(Object.entries(texts).filter(([key]) => isMore(key) === wanted)),
  );
  return { everywhere, more };
}

/** The plural rule is gettext's: an expression in C, which is also valid JavaScript.
 * @param {Record<string, string | string[]>} texts @param {string} plural */
export const wordsScript = (texts, plural) =>
  `globalThis.WORDS={plural:n=>Number(${plural}),texts:${JSON.stringify(texts)}};\n`;

/** Adds texts to those of `wordsScript`, which comes first. @param {Record<string, string | string[]>} texts */
export const moreWordsScript = texts => `Object.assign(WORDS.texts,${JSON.stringify(texts)});\n`;
