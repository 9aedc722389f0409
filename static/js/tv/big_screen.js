/**
 * TV without the rest of the page, for a beamer or a stream: the address says so (`/watch#full`), so a browser that is started
 * with it, or that loads the page anew, shows it at once. Knows no game.
 */
import { buttonById } from '../ui/dom.js';

const FULL = '#full';
const STIRRED_MS = 3_000;

/** Keeps the screen awake while the page is in sight; a browser drops it whenever the page is not. */
class AwakeScreen {
  /** @type {WakeLockSentinel | null} */
  #lock = null;
  #wanted = false;

  constructor() {
    document.addEventListener('visibilitychange', () => void this.#ask());
  }

  /** @param {boolean} wanted */
  want(wanted) {
    this.#wanted = wanted;
    if (wanted) return void this.#ask();
    void this.#lock?.release();
    this.#lock = null;
  }

  async #ask() {
    if (!this.#wanted || document.hidden || (this.#lock && !this.#lock.released)) return;
    // Refused while the battery is low, say: then the screen goes dark as everywhere else.
    const lock = (await navigator.wakeLock?.request('screen').catch(() => null)) ?? null;
    if (this.#wanted) this.#lock = lock;
    else void lock?.release();
  }
}

/** Shows TV alone while the address says so, and lets the buttons and the Escape key change that. */
export function followBigScreen() {
  const enter = buttonById('tv-full');
  const leave = buttonById('tv-leave');
  const awake = new AwakeScreen();
  const { body } = document;
  const isFull = () => body.classList.contains('tv-alone');
  let stirred = 0;

  /** The pointer and the way out are in sight for a moment after a movement or a key. */
  const stir = () => {
    body.classList.add('stirred');
    clearTimeout(stirred);
    stirred = setTimeout(() => body.classList.remove('stirred'), STIRRED_MS);
  };

  const render = () => {
    const full = location.hash === FULL;
    if (full === isFull()) return;
    body.classList.toggle('tv-alone', full);
    leave.hidden = !full;
    awake.want(full);
    if (!full && document.fullscreenElement) void document.exitFullscreen();
    if (full) stir();
    // The focus would be on something that is not in sight.
    (full ? leave : enter).focus();
  };

  const leaveNow = () => {
    history.replaceState(null, '', location.pathname + location.search);
    render();
  };

  enter.addEventListener('click', () => {
    // Without it, on an iPhone or where it is forbidden, TV fills the window.
    void document.documentElement.requestFullscreen?.().catch(() => undefined);
    location.hash = FULL;
  });
  leave.addEventListener('click', leaveNow);
  addEventListener('hashchange', render);
  for (const kind of ['pointermove', 'pointerdown']) addEventListener(kind, () => isFull() && stir());
  addEventListener('keydown', ({ key }) => {
    if (!isFull()) return;
    if (key === 'Escape') leaveNow();
    else stir();
  });
  // The browser has its own ways out of a full screen, of which no key is told.
  document.addEventListener('fullscreenchange', () => !document.fullscreenElement && isFull() && leaveNow());
  render();
}
