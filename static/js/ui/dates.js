/** Dates as the reader writes them. Without a script they stay as the server writes them, year first. */

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
