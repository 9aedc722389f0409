/**
 * Of several tabs of one game only one does the computer's thinking: the one that is looked at, or was last. Where the
 * browser has no locks, as on a site without https, each tab thinks; the server takes the first move.
 */

/**
 * @param {string} name of what only one tab does
 * @param {(here: boolean) => void} told whether that is this tab, now and whenever it changes
 * @param {LockManager | undefined} locks @param {Document} page
 */
export function inOneTab(name, told, locks = navigator.locks, page = document) {
  if (!locks) return told(true);
  let here = false;
  let waiting = new AbortController();

  /** @param {boolean} now */
  const tell = now => {
    here = now;
    told(now);
  };
  /** @param {LockOptions} how */
  const ask = async how => {
    try {
      await locks.request(name, how, () => {
        tell(true);
        return new Promise(() => {});
      });
    } catch {
      // Another tab is looked at now; or this one has asked anew.
      if (how.signal?.aborted) return;
      tell(false);
      wait();
    }
  };
  const wait = () => {
    waiting = new AbortController();
    void ask({ signal: waiting.signal });
  };
  const take = () => {
    if (page.hidden || here) return;
    waiting.abort();
    void ask({ steal: true });
  };
  page.addEventListener('visibilitychange', take);
  if (page.hidden) wait();
  else take();
}
