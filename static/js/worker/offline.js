/**
 * A page to show while offline. Only this page and its files are kept: everything else comes from the server, so that an
 * outdated game is never shown as if it were current.
 *
 * @typedef {{request: Request, respondWith: (answer: Promise<Response>) => void}} FetchEvent
 * @typedef {{waitUntil: (work: Promise<unknown>) => void}} LifeEvent
 * @typedef {object} Worker   the part of ServiceWorkerGlobalScope that is used here
 * @property {(type: string, listener: (event: any) => void) => void} addEventListener
 * @property {Pick<CacheStorage, 'open' | 'delete' | 'match'>} caches
 * @property {(request: Request | string) => Promise<Response>} fetch
 * @property {() => Promise<void>} skipWaiting
 */
const PAGE = '/offline';
const CACHE = 'offline';
const FILES = /(?:src|href)="(\/static\/[^"]+)"/g;

/** @param {Worker} worker */
export function answerOffline(worker) {
  worker.addEventListener('install', (/** @type {LifeEvent} */ event) => event.waitUntil(keepPage(worker)));
  worker.addEventListener('fetch', (/** @type {FetchEvent} */ event) => {
    const { mode, url, method } = event.request;
    const navigates = mode === 'navigate' && method === 'GET';
    if (navigates || new URL(url).pathname.startsWith('/static/'))
      event.respondWith(answer(worker, event.request, navigates));
  });
}

/** @param {Worker} worker */
async function keepPage(worker) {
  const page = await worker.fetch(PAGE);
  const files = [...(await page.clone().text()).matchAll(FILES)].map(([, file]) => file);
  await worker.caches.delete(CACHE);
  const cache = await worker.caches.open(CACHE);
  await cache.put(PAGE, page);
  await cache.addAll(files);
  await worker.skipWaiting();
}

/** The server's answer; without a connection, the offline page or one of its files. @param {Worker} worker @param {Request} request @param {boolean} navigates */
async function answer(worker, request, navigates) {
  try {
    return await worker.fetch(request);
  } catch (error) {
    const kept = await worker.caches.match(navigates ? PAGE : request);
    if (kept) return kept;
    throw error;
  }
}
