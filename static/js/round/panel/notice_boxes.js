/**
 * The boxes among the notices, each a sentence with buttons to answer it: for a game that rests, and for one whose time is
 * over. And the switch for flagging by hand. Knows no socket.
 *
 * @import { GameState } from '../../game/model.js'
 * @import { Command } from '../../net/messages.js'
 */
import { byId, create, createButton, element } from '../../ui/dom.js';
import { opposite } from '../../board/variant.js';
import { isByDays } from '../../game/terms.js';
import { t } from '../../words.js';
import { remaining } from '../../game/clock.js';
import { turn } from '../../game/model.js';

/** One box. @param {string} words @param {HTMLElement[]} buttons none if there is nothing to answer */
export const offerBox = (words, buttons) =>
  create(
    'div',
    'offer',
    create('p', '', words),
    ...(buttons.length ? [create('div', 'offer-buttons', ...buttons)] : []),
  );

/**
 * The box of an adjourned game: who is ready to resume, and what the reader can do. A correspondence game is paused instead, and
 * goes on as soon as one of its players says so.
 * @param {GameState} state @param {(command: Command) => void} send @param {number} today ms since the epoch
 * @returns {HTMLElement | null} null: the game is not adjourned
 */
export function adjournmentBox(state, send, today) {
  const { adjourned, you } = state;
  if (!adjourned) return null;
  const buttons = [];
  if (you && !adjourned[you])
    buttons.push(
      createButton('button primary', () => send({ t: 'ready' }), t(isByDays(state) ? 'round.resume' : 'round.ready')),
    );
  if (adjourned.claim && adjourned.claim[0] === you && adjourned.claim[1] <= today) buttons.push(...claimButtons(send));
  return offerBox(adjournmentWords(state, adjourned), buttons);
}

/** @param {(command: Command) => void} send */
export const claimButtons = send => [
  createButton('button primary', () => send({ t: 'claim', result: 'win' }), t('round.claim_win')),
  createButton('button', () => send({ t: 'claim', result: 'draw' }), t('round.claim_draw')),
];

/** Who is ready to resume. @param {GameState} state @param {import('../../net/wire.js').Adjournment} adjourned */
export function adjournmentWords(state, adjourned) {
  const { you } = state;
  if (isByDays(state)) return t(you ? 'round.paused' : 'round.paused_watching');
  const still = t('round.adjourned');
  if (!you) return still;
  const mine = adjourned[you];
  const theirs = adjourned[opposite(you)];
  if (mine && theirs) return `${still} ${t('round.adjourned_both')}`;
  if (theirs) return `${still} ${t('round.adjourned_they')}`;
  if (!mine) return `${still} ${t('round.adjourned_nobody')}`;
  const day = adjourned.claim && new Date(adjourned.claim[1]).toLocaleDateString(document.documentElement.lang);
  return `${still} ${t('round.adjourned_you')}${day ? ` ${t('round.adjourned_claim', { day })}` : ''}`;
}

// Flagging by hand, in correspondence games: the choice of it, and what can be done once the time of the side to move is over.

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
