/**
 * Zen: a game with nothing beside it but the clocks and the moves. A preference (preferences.css hides the rest as long as the
 * game goes on), which a key and two buttons switch meanwhile: one in the menu, and one in sight while it is on. And the whole
 * screen, for those who only watch.
 */
import { buttonById, byId, loadStyle } from '../ui/dom.js';
import { onKeys } from '../ui/keys.js';
import { choose, onPreference, preference } from '../ui/preferences.js';

const isZen = () => preference('zen') === 'on';

/** A watcher's button shows the game alone on the whole screen; what does it is loaded then.
 * @param {(words: string) => void} remark says why it cannot be */
export function offerFullScreen(remark) {
  const button = document.getElementById('full');
  button?.addEventListener('click', async () => {
    // Asked for at once: later no browser believes that it was the reader who asked.
    const granted = document.documentElement.requestFullscreen?.().then(
      () => true,
      () => false,
    );
    const { script = '', style = '', failed = '' } = button.dataset;
    try {
      /** @type {[typeof import('../pages/on_request/game_screen.js'), unknown]} */
      const [code] = await Promise.all([import(script), loadStyle(style)]);
      // The reader may have left again meanwhile.
      if ((await granted) && !document.fullscreenElement) return;
      // The button is in a menu that closes by itself, and could not be focused there.
      code.showGameAlone(button.closest('details')?.querySelector('summary') ?? button);
    } catch {
      if (document.fullscreenElement) void document.exitFullscreen();
      remark(failed);
    }
  });
}

/** @param {() => void} showMoves brings them into sight: in zen nothing else of the panel is */
export function followZen(showMoves) {
  const button = buttonById('zen');
  const show = () => {
    button.setAttribute('aria-pressed', String(isZen()));
    if (isZen()) showMoves();
  };
  const ending = byId('ending');
  const toggle = () => ending.hidden && void choose('zen', isZen() ? 'off' : 'on');
  for (const each of [button, byId('leave-zen')]) each.addEventListener('click', toggle);
  onKeys({ z: toggle });
  onPreference(show);
  show();
}
