/** Puts the host's notice away that this browser's reader has hidden, and the button that hides it. */
import { siteStorage } from '../storage.js';

const root = document.documentElement;
const KEY = 'notice-read';

/** Call it before the page is painted. */
export function hideReadNotice() {
  if (root.dataset.notice && siteStorage.get(KEY) === root.dataset.notice) root.classList.add('notice-read');
  document.addEventListener('DOMContentLoaded', () =>
    document.getElementById('notice-hide')?.addEventListener('click', () => {
      siteStorage.set(KEY, root.dataset.notice ?? null);
      root.classList.add('notice-read');
    }),
  );
}
