/** A game's own page as a beamer or a stream shows it: board, names and clocks alone. Loaded when a watcher asks for it. */
import { BigScreen } from '../../tv/big_screen.js';
import { create } from '../../ui/dom.js';
import { t } from '../../words.js';

/** @type {BigScreen | null} */
let screen = null;

/** Shows the game alone until the reader leaves that. @param {HTMLElement} enter the button that was pressed */
export function showGameAlone(enter) {
  if (!screen) {
    const leave = create('button', 'button leave-full', t('watch.leave_full_screen'));
    leave.type = 'button';
    leave.setAttribute('aria-keyshortcuts', 'Escape');
    document.body.append(leave);
    screen = new BigScreen('game-alone', enter, leave, () => screen?.turn(false));
  }
  screen.turn(true);
}
