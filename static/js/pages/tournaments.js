/**
 * The list of tournaments and the form of a new one: times by the reader's clock, and a date that is theirs. All else
 * needs no script.
 */
import './notifications.js'; // in this file, so that the page has one request less
import { localTimes } from '../ui/times.js';

localTimes();

const zone = document.getElementById('zone');
const zones = document.getElementById('zones');

for (const one of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-local]')))
  one.textContent = one.dataset.local ?? '';

/** Summer time may begin before the first round or between two: each has the difference of its own day.
 * @param {HTMLInputElement} first @param {HTMLInputElement} later @param {FormData} chosen */
function differ(first, later, chosen) {
  const said = /** @param {string} name */ name => String(chosen.get(name) ?? '');
  const begin = said('starts') === 'at' && said('at') ? new Date(said('at')) : new Date();
  const days = { daily: 1, weekly: 7 }[said('rest')];
  const lines = said('dates')
    .split('\n')
    .filter(line => line.trim());
  const rounds = days
    ? Array.from({ length: 14 }, (_, n) => {
        const at = new Date(begin);
        at.setDate(at.getDate() + days * (n + 1));
        return at;
      })
    : lines.slice(0, 30).map(line => new Date(line.trim()));
  // What is no date is refused by the server, whatever its difference.
  const minutes = [begin, ...rounds].map(at => at.getTimezoneOffset() || 0);
  first.value = String(minutes[0]);
  later.value = minutes.slice(1).join(' ');
}

if (zone instanceof HTMLInputElement && zones instanceof HTMLInputElement)
  zone.form?.addEventListener('submit', () => differ(zone, zones, new FormData(zone.form ?? undefined)));
