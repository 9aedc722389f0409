/**
 * The two buttons at the player's own seat, for a move that waits to be confirmed: play it, or take it back. Enter and
 * Escape do the same. Knows no game.
 */
import { buttonById, byId } from '../ui/dom.js';

/** Elements on which Enter has its own meaning. In the field for moves it has one only while something is typed there. */
const OWN_ENTER = 'a, button, summary, select, textarea, input:not(#move-text)';

export class ConfirmMove {
  #options;
  #bar = byId('confirm-move');
  #play = buttonById('confirm-play');
  /** @type {Element | null} what had the focus before the question */
  #before = null;

  /** @param {{play: () => void, takeBack: () => void}} options */
  constructor(options) {
    this.#options = options;
    this.#play.addEventListener('click', options.play);
    byId('confirm-take-back').addEventListener('click', options.takeBack);
    // Ahead of the board, which has a use of its own for both keys.
    document.addEventListener('keydown', event => this.#press(event), { capture: true });
  }

  /** Shows the buttons, and gives the focus to the first. @param {string} words on it */
  ask(words) {
    this.#play.textContent = words;
    if (this.#bar.hidden) this.#before = document.activeElement;
    this.#bar.hidden = false;
    this.#play.focus();
  }

  /** Hides the buttons. The focus returns to where it was, unless it has gone elsewhere since. */
  close() {
    const inside = this.#bar.contains(document.activeElement);
    this.#bar.hidden = true;
    if (inside && this.#before instanceof HTMLElement) this.#before.focus({ preventScroll: true });
    this.#before = null;
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (this.#bar.hidden || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (document.querySelector('dialog[open], :popover-open')) return;
    const act = this.#actionOf(event);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** @param {KeyboardEvent} event @returns {(() => void) | null} null: the key is not for this question */
  #actionOf({ key, repeat, target }) {
    if (key === 'Escape') return this.#options.takeBack;
    if (key !== 'Enter') return null;
    // The key that put the piece down, and is still held, must not confirm it.
    if (repeat) return () => {};
    const typed = target instanceof HTMLInputElement && target.value.trim() !== '';
    return typed || (target instanceof Element && target.closest(OWN_ENTER)) ? null : this.#options.play;
  }
}
