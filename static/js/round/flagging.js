/**
 * Flagging by hand, in correspondence games: the choice of it, and what can be done once the time of the side to move is over.
 *
 * @import { GameState } from '../game/model.js'
 * @import { Command } from '../net/messages.js'
 */
import { opposite } from '../board/variant.js';
import { remaining } from '../game/clock.js';
import { turn } from '../game/model.js';
import { isByDays } from '../game/terms.js';
import { byId, element } from '../ui/dom.js';
import { t } from '../words.js';
import { claimButtons } from './adjournment.js';
import { offerBox } from './panel/offer_box.js';

/**
 * Whether the time of the side to move is over, and its opponent has yet to say what comes of it.
 * @param {GameState} state @param {number} now performance.now()
 */
const isTimeUp = (state, now) =>
  state.status === 'live' && state.byHand[opposite(turn(state))] && remaining(state, turn(state), now) === 0;

/** @param {GameState} state @param {number} now performance.now() @returns {string} '' as long as there is time */
export function timeUpWords(state, now) {
  if (!isTimeUp(state, now)) return '';
  if (!state.you) return t('round.time_up_watching');
  return t(turn(state) === state.you ? 'round.time_up_yours' : 'round.time_up_claim');
}

/** @param {GameState} state @param {string} words of `timeUpWords` @param {(command: Command) => void} send */
export const timeUpBox = (state, words, send) =>
  offerBox(words, state.you && turn(state) !== state.you ? claimButtons(send) : []);

/** The switch below the buttons, and what the opponent has chosen. */
export class FlaggingChoice {
  #box = byId('flagging');
  #switch = element('flag-by-hand', HTMLInputElement);
  #theirs = byId('they-flag-by-hand');
  #chosen = false;

  /** @param {(command: Command) => void} send */
  constructor(send) {
    this.#switch.addEventListener('click', event => {
      // It turns when the server has stored it.
      event.preventDefault();
      send({ t: 'flagging', by_hand: !this.#chosen });
    });
  }

  /** @param {GameState} state */
  render(state) {
    this.#box.hidden = state.you === null || state.status === 'over' || !isByDays(state);
    if (!state.you) return;
    this.#chosen = state.byHand[state.you];
    this.#switch.checked = this.#chosen;
    this.#theirs.hidden = !state.byHand[opposite(state.you)];
  }
}
