/**
 * What is shown while offline: a page that says so, and for whoever plays the computer the pages and files of such a game.
 * Everything else comes from the server, so that an outdated game is never shown as if it were current.
 *
 * @import { KeptPages } from './kept_pages.js'
 * @typedef {{request: Request, respondWith: (answer: Promise<Response>) => void, waitUntil: (work: Promise<unknown>) => void}} FetchEvent
 * @typedef {{waitUntil: (work: Promise<unknown>) => void}} LifeEvent
 * @typedef {object} Worker   the part of ServiceWorkerGlobalScope that is used here
 * @property {(type: string, listener: (event: any) => void) => void} addEventListener
 * @property {Pick<CacheStorage, 'open' | 'delete' | 'match' | 'keys'>} caches
 * @property {(request: Request | string, options?: RequestInit) => Promise<Response>} fetch
 * @property {{claim: () => Promise<void>}} clients
 * @property {() => Promise<void>} skipWaiting
 */
import { CACHE, filesOf, PAGE } from './kept_pages.js';

/** Where a game against the computer is chosen, and what is shown there and below it while offline. */
const COMPUTER = '/computer';
const CHOOSER = '/computer/offline';
/** What the rules on a page are made from. */
const RULES = '/api/variants/';

/** @param {Worker} worker @param {KeptPages} kept @param {() => Promise<unknown>} online called when a page has come from the server */
export function answerOffline(worker, kept, online) {
  worker.addEventListener('install', (/** @type {LifeEvent} */ event) => event.waitUntil(keepPage(worker)));
  worker.addEventListener('activate', (/** @type {LifeEvent} */ event) => event.waitUntil(worker.clients.claim()));
  worker.addEventListener('message', event => event.data === 'keep-computer' && event.waitUntil(kept.renew()));
  worker.addEventListener('fetch', (/** @type {FetchEvent} */ event) => {
    const { mode, url, method } = event.request;
    const { pathname } = new URL(url);
    if (mode === 'navigate' && method === 'GET') event.respondWith(page(worker, kept, event, online));
    else if (mode === 'navigate' && pathname === COMPUTER) event.respondWith(begun(worker, event.request));
    else if (method === 'GET' && (pathname.startsWith('/static/') || pathname.startsWith(RULES)))
      event.respondWith(answer(worker, event.request));
  });
}

/** @param {Worker} worker */
async function keepPage(worker) {
  const page = await worker.fetch(PAGE);
  const files = filesOf(await page.clone().text());
  await worker.caches.delete(CACHE);
  const cache = await worker.caches.open(CACHE);
  await cache.put(PAGE, page);
  await cache.addAll(files);
  await worker.skipWaiting();
}

/** The server's answer; without a connection, what is kept of it. @param {Worker} worker @param {Request} request */
async function answer(worker, request) {
  try {
    return await worker.fetch(request);
  } catch (error) {
    const kept = await worker.caches.match(request, { ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

/** The server's page; without a connection, the one that is kept for such games, or the one that says so.
 * @param {Worker} worker @param {KeptPages} kept @param {FetchEvent} event @param {() => Promise<unknown>} online */
async function page(worker, kept, event, online) {
  try {
    const answer = await worker.fetch(event.request);
    event.waitUntil(online());
    return answer;
  } catch (error) {
    const { pathname } = new URL(event.request.url);
    const found = (await kept.find(pathname === COMPUTER ? CHOOSER : pathname)) ?? (await worker.caches.match(PAGE));
    if (found) return found;
    throw error;
  }
}

/**
 * A game against the computer that is to begin: at the server, or without a connection on a page that is kept.
 * @param {Worker} worker @param {Request} request a form's
 */
async function begun(worker, request) {
  const form = request.clone();
  try {
    return await worker.fetch(request);
  } catch {
    const asked = new URLSearchParams(await form.text());
    const address = new URL(`${CHOOSER}/${asked.get('variant')}`, request.url);
    for (const name of ['level', 'color', 'fen']) address.searchParams.set(name, asked.get(name) ?? '');
    return Response.redirect(address.href, 303);
  }
}
