/**
 * Shows pushed messages, and opens the page that each is about. Knows no game: words and address come with the message.
 *
 * @typedef {{title: string, body: string, url: string, topic: string}} Pushed
 * @typedef {{url: string, focus: () => Promise<unknown>}} OpenPage
 * @typedef {{data: {json: () => Pushed} | null, waitUntil: (work: Promise<unknown>) => void}} PushEvent
 * @typedef {{notification: {close: () => void, data: {url: string}}, waitUntil: (work: Promise<unknown>) => void}} ClickEvent
 *
 * @typedef {object} Worker   the part of ServiceWorkerGlobalScope that is used here
 * @property {(type: string, listener: (event: any) => void) => void} addEventListener
 * @property {{showNotification: (title: string, options: object) => Promise<void>}} registration
 * @property {{matchAll: (options: object) => Promise<OpenPage[]>, openWindow: (url: string) => Promise<unknown>}} clients
 * @property {{origin: string}} location
 */

/** @param {Worker} worker */
export function listenForPushes(worker) {
  worker.addEventListener('push', (/** @type {PushEvent} */ event) => {
    if (event.data) event.waitUntil(show(worker, event.data.json()));
  });
  worker.addEventListener('notificationclick', (/** @type {ClickEvent} */ event) => {
    event.notification.close();
    event.waitUntil(open(worker, event.notification.data.url));
  });
}

/** A newer notification replaces an older one of the same topic. @param {Worker} worker @param {Pushed} pushed */
const show = ({ registration }, { title, body, url, topic }) =>
  registration.showNotification(title, { body, tag: topic, data: { url } });

/** Goes to a tab that shows the page already, or opens a new one. @param {Worker} worker @param {string} path */
async function open({ clients, location }, path) {
  const { href, origin } = new URL(path, location.origin);
  // Pushes come from our own server; all the same, nobody is led to another site.
  if (origin !== location.origin) return;
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = pages.find(({ url }) => url.split('#')[0] === href);
  await (shown ? shown.focus() : clients.openWindow(href));
}
