/**
 * Loaded by every page before it is painted. The server has written what the reader prefers into the page; this follows
 * what they choose elsewhere, brings along what earlier releases kept in this browser, marks the document as scripted for
 * the style sheet, and installs the site's service worker.
 */
import { siteStorage } from '../storage.js';
import { choose, followOtherTabs, show } from '../ui/preferences.js';
import { keepFragmentForLanguage } from '../ui/fragment.js';

// Puts the host's notice away that this browser's reader has hidden, and the button that hides it.

const root = document.documentElement;
const KEY = 'notice-read';

/** Call it before the page is painted. */
function hideReadNotice() {
  if (root.dataset.notice && siteStorage.get(KEY) === root.dataset.notice) root.classList.add('notice-read');
  document.addEventListener('DOMContentLoaded', () =>
    document.getElementById('notice-hide')?.addEventListener('click', () => {
      siteStorage.set(KEY, root.dataset.notice ?? null);
      root.classList.add('notice-read');
    }),
  );
}

/** Where earlier releases kept the choices of a browser. */
const EARLIER = 'looks';
const EARLIER_SOUND = 'sound';

/** @returns {Record<string, string>} what they kept, by today's names */
function keptByEarlierRelease() {
  const { coordinates, ...looks } = siteStorage.json(EARLIER) ?? {};
  const sound = siteStorage.get(EARLIER_SOUND);
  if (looks.board === 'plain') looks.board = 'newsprint';
  return { ...looks, ...(coordinates === 'off' && { coordinates }), ...(sound === 'off' && { sound }) };
}

const kept = keptByEarlierRelease();
if (Object.keys(kept).length) show(kept);
followOtherTabs();
document.documentElement.classList.add('scripted');
// A link that offers a seat has a secret after it: what the page then says comes above what others read first.
document.documentElement.classList.toggle('by-link', location.hash.length > 1);
hideReadNotice();
document.addEventListener('DOMContentLoaded', keepFragmentForLanguage);

/** Moves what an earlier release kept to where it is kept now. */
async function bringAlong() {
  for (const [name, value] of Object.entries(kept)) await choose(name, value);
  siteStorage.set(EARLIER, null);
  siteStorage.set(EARLIER_SOUND, null);
}

/** The address of the service worker, the only script address that the page's Trusted Types policy allows to be made. */
const worker = () =>
  /** @type {any} */ (globalThis).trustedTypes
    ?.createPolicy('worker', { createScriptURL: () => '/sw.js' })
    .createScriptURL('') ?? '/sw.js';

// After everything that the page itself needs. Private windows refuse; then there is no offline page.
addEventListener('load', () => {
  if (Object.keys(kept).length) void bringAlong();
  void navigator.serviceWorker?.register(worker()).catch(() => {});
});
