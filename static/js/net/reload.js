/** Loading the page again because the server speaks a newer protocol: once, not in a circle. */

const TRIED = 'reloaded';

/** @returns {boolean} false: that has been tried, and the server still calls this page old */
export function reloadOnce() {
  if (sessionStorage.getItem(TRIED)) return false;
  sessionStorage.setItem(TRIED, 'yes');
  location.reload();
  return true;
}

/** The server understands this page: it may be loaded again when the next version comes. */
export const reloadHelped = () => sessionStorage.removeItem(TRIED);
