/**
 * Zen: a game with nothing beside it but the clocks and the moves. A preference (preferences.css hides the rest), which a
 * key and a button switch while somebody plays. Knows no game.
 */
import { buttonById } from '../ui/dom.js';
import { onKeys } from '../ui/keys.js';
import { choose, onPreference, preference } from '../ui/preferences.js';

const isZen = () => preference('zen') === 'on';

/** @param {() => void} showMoves brings them into sight: in zen nothing else of the panel is */
export function followZen(showMoves) {
  const button = buttonById('zen');
  const show = () => {
    button.setAttribute('aria-pressed', String(isZen()));
    if (isZen()) showMoves();
  };
  const toggle = () => void choose('zen', isZen() ? 'off' : 'on');
  button.addEventListener('click', toggle);
  onKeys({ z: toggle });
  onPreference(show);
  show();
}
