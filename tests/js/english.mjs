/** Gives the tests the English catalogue, as a page gets it; from here on a key that is missing raises an error. */
import { readdirSync, readFileSync } from 'node:fs';
import { setCatalogue } from '../../static/js/words.js';

const FOLDER = new URL('../../server/words/en/', import.meta.url);
const areas = readdirSync(FOLDER).filter(name => name.endsWith('.json') && name !== 'language.json');
const keys = areas.flatMap(name =>
  Object.entries(JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'))).map(([key, text]) => [
    name.replace('json', key),
    text,
  ]),
);

export const english = { plural: n => Number(n !== 1), texts: Object.fromEntries(keys) };
setCatalogue(english);
Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } });
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en-GB'] } });
