/** Reloads the page because the server speaks a newer protocol: once, not in a loop. */
import { tabStorage } from '../storage.js';

const TRIED = 'reloaded';

/** @returns {boolean} false: this has been tried before, or cannot be remembered, so reloading might go on for ever */
export function reloadOnce() {
  if (tabStorage.get(TRIED) || !tabStorage.set(TRIED, 'yes')) return false;
  location.reload();
  return true;
}

/** The server understands this page, so it may be reloaded when the next version comes. */
export const allowReload = () => tabStorage.set(TRIED, null);
