/** Days as the reader writes them. Without a script they stay as the server says them, year first. */

/** Of all languages of the reader's, the one that the page is in, with its region. */
const locale = () => {
  const { lang } = document.documentElement;
  return navigator.languages.find(tag => tag.split('-')[0] === lang) ?? lang;
};

/** The days of the page, which are UTC. */
export function localDates() {
  const format = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' });
  for (const time of document.querySelectorAll('time')) time.textContent = format.format(new Date(time.dateTime));
}
