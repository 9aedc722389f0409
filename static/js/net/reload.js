/** Loading the page again because the server speaks a newer protocol: once, not in a circle. */
import { tabStorage } from '../storage.js';

const TRIED = 'reloaded';

/** @returns {boolean} false: that has been tried, or nobody would know, and the server still calls this page old */
export function reloadOnce() {
  if (tabStorage.get(TRIED) || !tabStorage.set(TRIED, 'yes')) return false;
  location.reload();
  return true;
}

/** The server understands this page: it may be loaded again when the next version comes. */
export const allowReload = () => tabStorage.set(TRIED, null);
