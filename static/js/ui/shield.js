/**
 * What comes up under a finger is not what the finger meant: for a moment it takes no press. Keys act at once.
 * The style says how: `shielded` in game/panel.css and game/choice.css.
 */

/** Longer than the second half of a double tap takes to come. */
const SHIELD_MS = 350;

/** @param {Element} element that has just appeared, or means something else now @param {number} ms */
export function shield(element, ms = SHIELD_MS) {
  element.classList.add('shielded');
  setTimeout(() => element.classList.remove('shielded'), ms);
}
