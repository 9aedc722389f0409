/**
 * Which part of the panel of studies was in use when a change loaded its page anew: there it is in sight again, with what has
 * changed. Knows no study.
 */
import { tabStorage } from '../storage.js';
import { byId } from '../ui/dom.js';

const KEY = 'study-part';

/** To be called before the page is loaded anew. */
export function keepPartInSight() {
  tabStorage.set(KEY, document.querySelector('#study details[open] > form')?.id ?? null);
}

/** Whether such a part is to be in sight. */
export const isPartKept = () => tabStorage.get(KEY) !== null;

/** Opens it, once. */
export function openKeptPart() {
  const part = document.getElementById(tabStorage.get(KEY) ?? '');
  tabStorage.set(KEY, null);
  const fold = part?.parentElement;
  if (fold instanceof HTMLDetailsElement && byId('study').contains(fold)) fold.open = true;
}
