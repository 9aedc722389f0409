/**
 * The list of tournaments and the form of a new one: times by the reader's clock, and a date that is theirs. All else
 * needs no script.
 */
import './notifications.js'; // in this file, so that the page has one request less
import { localTimes } from '../ui/times.js';

localTimes();

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
