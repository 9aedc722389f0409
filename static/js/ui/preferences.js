/**
 * What the reader prefers, on an open page: the server has written it into the attributes of the page's first tag
 * (server/web/preferences), where style sheets and scripts read it; an attribute that is missing means the default. A
 * choice holds at once, here and in the other open tabs, and is sent to the server. Knows no element of a page.
 *
 * @typedef {Record<string, string>} Chosen   by the names of the server's Preferences
 */
import { APPEARANCE_CHANGE } from '../../pieces/board_style.mjs';
import { siteStorage } from '../storage.js';

const KEY = 'preferences';
const PATH = '/settings';
const root = document.documentElement;

/** What was chosen on this page: sent again with each further choice, so that none is lost on the way. @type {Chosen} */
const mine = {};
/** @type {Promise<unknown>} */
let sending = Promise.resolve();

/** @param {string} name @returns {string | undefined} undefined: the default */
export const preference = name => root.dataset[name];

/** Whether something is on that is on unless it was switched off. @param {string} name */
export const isOn = name => root.dataset[name] !== 'off';

/** @param {() => void} listener called whenever something else was chosen, here or in another tab */
export const onPreference = listener => document.addEventListener(APPEARANCE_CHANGE, listener);

/** Makes the page look and behave so, and keeps nothing. @param {Chosen} chosen */
export function show(chosen) {
  Object.assign(root.dataset, chosen);
  const { pieces } = root.dataset;
  const sheet = pieces && document.getElementById('appearance')?.dataset[pieces];
  if (sheet && !document.querySelector(`link[href="${sheet}"]`))
    document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: sheet }));
  document.dispatchEvent(new Event(APPEARANCE_CHANGE));
}

/**
 * @param {string} name @param {string} value
 * @returns {Promise<boolean>} whether it is kept; if not, it holds on open pages only
 */
export function choose(name, value) {
  show({ [name]: value });
  tellOtherTabs({ [name]: value });
  mine[name] = value;
  // One after the other: each answer has all that a guest's browser is to remember.
  const sent = sending.then(() => send({ ...mine }));
  sending = sent;
  return sent;
}

/** @param {Chosen} chosen @returns {Promise<boolean>} */
async function send(chosen) {
  const headers = { Accept: 'application/json' };
  const body = new URLSearchParams(chosen);
  const answer = await fetch(PATH, { method: 'POST', headers, body, keepalive: true }).catch(() => null);
  // What the server refuses it would refuse with every further choice, too.
  if (answer && answer.status < 500 && !answer.ok) for (const name in chosen) delete mine[name];
  return !!answer?.ok;
}

/** @param {Chosen} last */
function tellOtherTabs(last) {
  const all = { ...siteStorage.json(KEY)?.all, ...last };
  // The time makes it another text than the one before, or the other tabs would not hear of it.
  siteStorage.set(KEY, JSON.stringify({ last, all, at: Date.now() }));
}

/**
 * Follows each choice in other tabs, and all that were made in this browser if it has kept this page aside meanwhile: the
 * page may be older than any of them.
 */
export function followOtherTabs() {
  addEventListener('storage', ({ key }) => {
    if (key === KEY) show(siteStorage.json(KEY)?.last ?? {});
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) show(siteStorage.json(KEY)?.all ?? {});
  });
}
