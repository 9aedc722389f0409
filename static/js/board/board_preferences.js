/**
 * What the reader's preferences say about every board, as the board library wants it. The page's first tag has them (see
 * ui/preferences.js, which is above boards); knows no board.
 *
 * @import { Config } from 'chessgroundx/config'
 */
import { APPEARANCE_CHANGE } from '../../pieces/board_style.mjs';

const ANIMATION_MS = { quick: 180, slow: 400 };

/** Sets the preferences, now and whenever they change. @param {(preferences: Config) => void} set */
export function followPreferences(set) {
  set(preferences());
  document.addEventListener(APPEARANCE_CHANGE, () => set(preferences()));
}

/** @returns {Pick<Required<Config>, 'animation' | 'movable' | 'premovable'>} */
function preferences() {
  const { animation = 'quick', targets, premove } = document.documentElement.dataset;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return {
    animation: {
      enabled: animation in ANIMATION_MS && !still,
      duration: ANIMATION_MS[/** @type {'quick' | 'slow'} */ (animation)] ?? 0,
    },
    movable: { showDests: targets !== 'off' },
    premovable: { enabled: premove !== 'off' },
  };
}
