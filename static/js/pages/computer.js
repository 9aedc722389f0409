/** The page on which a game against the computer is chosen: remembers in this browser what was chosen last. */
import { siteStorage } from '../storage.js';
import { element } from '../ui/dom.js';

const KEY = 'computer-game';
const REMEMBERED = ['level', 'color', 'clock'];

const form = element('computer-form', HTMLFormElement);

/** What the address says comes before what was chosen last. */
function recall() {
  const [last, asked] = [siteStorage.json(KEY) ?? {}, new URLSearchParams(location.search)];
  for (const name of REMEMBERED) {
    const field = form.elements.namedItem(name);
    const known = [...form.querySelectorAll('input')].some(one => one.name === name && one.value === last[name]);
    if (field instanceof RadioNodeList && known && !asked.has(name)) field.value = last[name];
  }
}

recall();
form.addEventListener('submit', () => {
  const chosen = new FormData(form);
  siteStorage.set(KEY, JSON.stringify(Object.fromEntries(REMEMBERED.map(name => [name, String(chosen.get(name))]))));
});
