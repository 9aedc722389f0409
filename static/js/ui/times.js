/** Dates and times as the reader writes them, and time that runs down. Without a script they stay as the server writes them. */
const SECOND = 1000;

/** The reader's region of the page's language, which decides the order of day and month. */
const locale = () => {
  const { lang } = document.documentElement;
  return navigator.languages.find(tag => tag.split('-')[0] === lang) ?? lang;
};

/** "3 August", by UTC. @param {number} at ms since the epoch */
export const dayInWords = at =>
  new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(at);

/** Rewrites the dates of the page, which are in UTC. */
export function localDates() {
  const format = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' });
  for (const time of document.querySelectorAll('time')) time.textContent = format.format(new Date(time.dateTime));
}

/** Rewrites each `<time data-ms>` of the page by the reader's clock: the time in bold, then the day. */
export function localTimes() {
  const clock = new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit' });
  const day = new Intl.DateTimeFormat(locale(), { weekday: 'short', day: 'numeric', month: 'short' });
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll('time[data-ms]'))) {
    const at = new Date(Number(time.dataset.ms));
    const bold = time.querySelector('b');
    if (bold) bold.textContent = clock.format(at);
    time.lastChild?.replaceWith(` ${day.format(at)}`);
  }
}

/**
 * Counts down in minutes and seconds for as long as the element is on the page. It measures how much older the page has
 * grown, not a clock of the reader's that may be wrong.
 * @param {HTMLElement} shown @param {number} ms
 */
export function countDown(shown, ms) {
  const ends = performance.now() + ms;
  const show = () => {
    const left = Math.max(0, Math.ceil((ends - performance.now()) / SECOND));
    shown.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
    if (left && shown.isConnected) setTimeout(show, SECOND);
  };
  show();
}
