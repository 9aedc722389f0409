/**
 * The list of tournaments and the form of a new one: times by the reader's clock, and a date that is theirs. All else
 * needs no script.
 */
import './notifications.js'; // in this file, so that the page has one request less

const { lang } = document.documentElement;
for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll('time[data-ms]'))) {
  const at = new Date(Number(time.dataset.ms));
  const [clock, day] = [
    new Intl.DateTimeFormat(lang, { hour: '2-digit', minute: '2-digit' }),
    new Intl.DateTimeFormat(lang, { weekday: 'short', day: 'numeric', month: 'short' }),
  ];
  const bold = time.querySelector('b');
  if (bold) bold.textContent = clock.format(at);
  time.lastChild?.replaceWith(` ${day.format(at)}`);
}

const zone = document.getElementById('zone');
const date = document.getElementById('new-at');
if (zone instanceof HTMLInputElement && date instanceof HTMLInputElement) {
  const label = date.labels?.[0];
  if (label?.dataset.local) label.textContent = label.dataset.local;
  // Summer time may begin before that day: the difference is that of the chosen time.
  const differ = () => (zone.value = String((date.value ? new Date(date.value) : new Date()).getTimezoneOffset()));
  date.addEventListener('change', differ);
  differ();
}
