/** When something begins, by the reader's clock. Without a script it stays by UTC, as the server writes it. */

/** Rewrites each `<time data-ms>` of the page: the time in bold, then the day. */
export function showLocalTimes() {
  const { lang } = document.documentElement;
  const clock = new Intl.DateTimeFormat(lang, { hour: '2-digit', minute: '2-digit' });
  const day = new Intl.DateTimeFormat(lang, { weekday: 'short', day: 'numeric', month: 'short' });
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll('time[data-ms]'))) {
    const at = new Date(Number(time.dataset.ms));
    const bold = time.querySelector('b');
    if (bold) bold.textContent = clock.format(at);
    time.lastChild?.replaceWith(` ${day.format(at)}`);
  }
}
