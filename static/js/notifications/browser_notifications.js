/** The browser's own notifications and web push. Knows nothing of what they say. */

/** @typedef {{endpoint: string, p256dh: string, auth: string}} Subscription */

const WORKER_MS = 5000;

export const canNotify = () => 'Notification' in window;

/** Asks the person; browsers allow that only in a click. @returns {Promise<boolean>} whether this site may notify */
export const askToNotify = async () => canNotify() && (await Notification.requestPermission()) === 'granted';

/**
 * @param {string} title @param {string} body @param {string} topic a newer notification replaces an older one of the same topic
 * @param {string} path of the page that it opens
 */
export async function notify(title, body, topic, path) {
  if (!canNotify() || Notification.permission !== 'granted') return;
  // On phones, only the service worker can show notifications.
  const isInstalled = await navigator.serviceWorker?.getRegistration();
  // On a browser's first visit it is there before it can show anything.
  const worker = isInstalled && (await readyWorker());
  if (worker) return worker.showNotification(title, { body, tag: topic, data: { url: path } });
  const shown = new Notification(title, { body, tag: topic });
  shown.onclick = () => {
    window.focus();
    shown.close();
    location.assign(path);
  };
}

/** @returns {Promise<ServiceWorkerRegistration | null>} null: it could not be installed, and never becomes ready */
const readyWorker = () =>
  Promise.race([navigator.serviceWorker.ready, new Promise(resolve => setTimeout(resolve, WORKER_MS, null))]);

/**
 * Subscribes this browser to web push.
 * @param {string} key the server's public key
 * @returns {Promise<Subscription | null>} null: this browser has no web push
 */
export async function subscribe(key) {
  if (!('PushManager' in window) || !navigator.serviceWorker) return null;
  try {
    const worker = await readyWorker();
    if (!worker) return null;
    const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys } = made.toJSON();
    return endpoint && keys ? { endpoint, p256dh: keys.p256dh, auth: keys.auth } : null;
  } catch {
    // Private windows and browsers without a push service refuse; the open page still notifies.
    return null;
  }
}
