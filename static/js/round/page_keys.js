/**
 * The keys of a game's page, outside the board and outside fields; `?`, or a button, opens the list of them. Knows which key does
 * what, not how.
 */
import { onKeys } from '../ui/keys.js';
import { buttonById, byId, element } from '../ui/dom.js';

/**
 * @param {object} actions
 * @param {boolean} actions.plays whether the reader plays here: then they begin before the board, not at the head of the page
 * @param {(by: number) => void} actions.step half-moves; infinite: to the start or the end
 * @param {() => void} actions.replay @param {() => void} actions.flip
 * @param {() => void} actions.sayClocks @param {() => void} actions.sayLastMove
 * @param {import('./panel/panel_tabs.js').PanelTabs} actions.tabs
 */
export function listenToKeys({ plays, step, replay, flip, sayClocks, sayLastMove, tabs }) {
  if (plays && document.activeElement === document.body) byId('main').focus({ preventScroll: true });
  onKeys({
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    Home: () => step(-Infinity),
    End: () => step(Infinity),
    p: replay,
    f: flip,
    c: sayClocks,
    l: sayLastMove,
    m: () => tabs.goTo('moves', 'move-text'),
    t: () => tabs.goTo('chat', 'chat-text'),
    '?': showKeys,
  });
  buttonById('keys-open').addEventListener('click', showKeys);
}

/** Over the page, until Escape; then the focus returns to where it was, or to what unfolds the menu in which it was. */
function showKeys() {
  const menu = element('more', HTMLDetailsElement);
  if (menu.open && menu.contains(document.activeElement)) menu.querySelector('summary')?.focus();
  menu.open = false;
  element('key-list', HTMLDialogElement).showModal();
  byId('key-list-title').focus();
}
