/**
 * The words of the page's language: t('area.key', { n: 3 }) gives a text. The catalogue is a script of its own, loaded
 * before this one, and holds the texts of server/words that scripts use; a list of texts holds plural forms, chosen by
 * `n`. Knows no element.
 *
 * @typedef {{plural: (n: number) => number, texts: Record<string, string | string[]>}} Catalogue
 */

/** @type {Catalogue} */
let catalogue = /** @type {any} */ (globalThis).WORDS ?? { plural: n => Number(n !== 1), texts: {} };

/** What to show for a key that has no text: on a page the key itself, because a page with a gap still works.
 * @type {(key: string) => string} */
let missing = key => key;

/** For tests: uses these texts from now on, and throws an error for a key that is not there. @param {Catalogue} other */
export function setCatalogue(other) {
  catalogue = other;
  missing = key => {
    throw new Error(`There is no text ${key}`);
  };
}

/** For a page that has its few texts itself, and loads no catalogue. @param {Record<string, string | string[]>} texts */
export const useTexts = texts => void Object.assign(catalogue.texts, texts);

/**
 * @param {string} key "area.key"
 * @param {Record<string, string | number>} [values] what replaces {name} in the text
 * @returns {string}
 */
export function t(key, values = {}) {
  const found = catalogue.texts[key] ?? missing(key);
  const text = Array.isArray(found) ? found[catalogue.plural(Number(values.n))] : found;
  return text.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
}

/** What the 960 form of a variant is called: "Chess960", "Capablanca Chess 960" @param {string} name */
export const shuffledName = name => `${name}${name.includes(' ') ? ' ' : ''}960`;

/** What the server calls whoever's account was deleted; nobody else can have it. */
const DELETED = '(deleted)';

/** And the computer, in lists; a game itself knows it by the seat. */
const COMPUTER = /^Computer \(level (\d)\)$/;

/** And a guest who has chosen a name. */
const GUEST = 'guest: ';

/** How a player's name is shown. @param {string} name */
export function personName(name) {
  const computer = COMPUTER.exec(name);
  if (computer) return t('computer.name', { level: computer[1] });
  if (name.startsWith(GUEST)) return t('round.guest_named', { name: name.slice(GUEST.length) });
  return name === DELETED ? t('round.deleted_account') : name;
}

/** Whether there is such a text: a newer server may send codes that this page does not know. @param {string} key */
export const has = key => key in catalogue.texts;
