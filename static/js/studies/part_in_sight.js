/**
 * Where somebody was on the page of a study when it was loaded anew: which part of the panel was in use, and which position of the
 * chapter was on the board. There they are again, with what has changed. Knows no study.
 */
import { tabStorage } from '../storage.js';
import { byId } from '../ui/dom.js';

const KEY = 'study-part';
const PLACE = 'study-place';

/** To be called before the page is loaded anew. */
export function keepPartInSight() {
  tabStorage.set(KEY, document.querySelector('#study details[open] > form')?.id ?? null);
}

/** To be called when another position is shown, or before the page of the chapter is loaded. @param {string} chapter id
 * @param {string[]} way the moves that lead to it, in UCI */
export const keepPlace = (chapter, way) => tabStorage.set(PLACE, JSON.stringify({ chapter, way }));

/** @param {string} chapter id @returns {string[]} the way to the position that was shown there last; its start, if another was */
export function keptPlace(chapter) {
  const kept = tabStorage.json(PLACE);
  return kept?.chapter === chapter && Array.isArray(kept.way) ? kept.way.map(String) : [];
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
