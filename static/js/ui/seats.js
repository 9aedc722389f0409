/**
 * The two seats beside the board: who sits there, how his line is, his clock, and whose turn it is.
 *
 * @typedef {import('../game/model.js').GameState} GameState
 * @typedef {import('../net/messages.js').Side} Side
 */
import { other } from '../board/variant.js';
import { formatClock, isLow, remaining } from '../game/clock.js';
import { freeSeat, turn } from '../game/model.js';
import { byId } from './page.js';
import { presenceWords } from './words.js';

const SECOND_MS = 1000;

export class Seats {
  #places = { top: place('top'), bottom: place('bottom') };

  /** @param {GameState} state @param {Side} bottom @param {number} now performance.now() */
  render(state, bottom, now) {
    this.#seat('bottom', bottom, state, now);
    this.#seat('top', other(bottom), state, now);
  }

  /** The numbers that change by themselves. @param {GameState} state @param {Side} bottom @param {number} now */
  tick(state, bottom, now) {
    this.#clock('bottom', bottom, state, now);
    this.#clock('top', other(bottom), state, now);
  }

  /** @param {'top' | 'bottom'} where @param {Side} side @param {GameState} state @param {number} now */
  #seat(where, side, state, now) {
    const { seat, name, presence } = this.#places[where];
    const here = state.crowd?.[side];
    name.textContent = state.seats[side].name ?? (freeSeat(state) === side ? 'Waiting for a friend' : side);
    const words = state.seats[side].name ? presenceWords(here, now - state.crowdAt) : '';
    presence.textContent = [side === 'white' ? 'White' : 'Black', side === state.you ? 'you' : '', words]
      .filter(Boolean)
      .join(' · ');
    seat.dataset.here = here?.here ?? '';
    seat.classList.toggle('turn', !state.ended && turn(state) === side);
    this.#clock(where, side, state, now);
  }

  /** @param {'top' | 'bottom'} where @param {Side} side @param {GameState} state @param {number} now */
  #clock(where, side, state, now) {
    const { seat, presence, clock } = this.#places[where];
    const left = remaining(state, side, now);
    const text = left === null ? '' : formatClock(left);
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle('low', left !== null && !state.ended && isLow(state, side, left));
    const here = state.crowd?.[side];
    const ago = Math.floor((now - state.crowdAt) / SECOND_MS);
    if (state.seats[side].name && here && here.here !== 'here' && seat.dataset.ago !== String(ago)) {
      seat.dataset.ago = String(ago);
      presence.textContent = presenceWords(here, now - state.crowdAt);
    }
  }
}

/** @param {'top' | 'bottom'} where */
function place(where) {
  const seat = byId(`seat-${where}`);
  const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (seat.querySelector(name));
  return { seat, name: part('.seat-name'), presence: part('.seat-presence'), clock: byId(`clock-${where}`) };
}
