/**
 * The row of buttons under the moves. Each is shown while it is of use; offering a draw and resigning need a second press.
 * A button with `data-sends` sends that command, one with `data-during` is shown to players in those statuses of the game.
 *
 * @import { GameState } from '../game/model.js'
 * @import { Command, OfferKind } from '../net/messages.js'
 */
import { opposite } from '../board/variant.js';
import { computerSide, turnOf } from '../game/model.js';
import { hasClock, isByDays } from '../game/terms.js';
import { t } from '../words.js';
import { buttonById, byId, element, setText } from '../ui/dom.js';
import { choose, isOn, onPreference } from '../ui/preferences.js';
import { FlaggingChoice } from './panel/notice_boxes.js';
import { shield } from '../ui/shield.js';

const CONFIRM_MS = 4000;

export class Controls {
  #draw = buttonById('draw');
  #adjourn = buttonById('adjourn');
  #takeback = buttonById('takeback');
  #abort = buttonById('abort');
  #abortWords = this.#abort.querySelector('span') ?? this.#abort;
  #resign = buttonById('resign');
  #rematch = buttonById('rematch');
  #more = element('more', HTMLDetailsElement);
  #row = byId('controls');
  /** @type {NodeListOf<HTMLButtonElement>} */
  #sending = this.#row.querySelectorAll('button[data-sends]');
  /** @type {NodeListOf<HTMLButtonElement>} */
  #during = this.#row.querySelectorAll('button[data-during]');
  /** Whether the reader has played here: a page that begins with the end has room for all. */
  #wasLive = false;
  #flagging;
  /** @type {OfferKind} what it is called to stop the clocks */
  #standStill = 'adjourn';

  /**
   * @param {object} options
   * @param {(command: Command) => void} options.send
   * @param {() => void} options.flip
   */
  constructor({ send, flip }) {
    this.#takeback.addEventListener('click', () => send({ t: 'offer', kind: 'takeback' }));
    this.#rematch.addEventListener('click', () => send({ t: 'offer', kind: 'rematch' }));
    this.#adjourn.addEventListener('click', () => send({ t: 'offer', kind: this.#standStill }));
    for (const button of this.#sending) {
      const command = /** @type {Command} */ (/** @type {unknown} */ ({ t: button.dataset.sends }));
      button.addEventListener('click', () => send(command));
    }
    this.#flagging = new FlaggingChoice(send);
    confirmed(this.#draw, t('round.really'), () => send({ t: 'offer', kind: 'draw' }));
    const ends = [t('round.withdraw'), t('round.abort')];
    confirmed(this.#resign, t('round.really'), () => send({ t: 'resign' }), ends);
    keepRoom(this.#abortWords, t('round.resign'), ...ends);
    buttonById('flip').addEventListener('click', flip);
    closeOnLeaving(this.#more);
    const sound = buttonById('sound');
    const showSound = () => sound.setAttribute('aria-pressed', String(isOn('sound')));
    sound.addEventListener('click', () => void choose('sound', isOn('sound') ? 'off' : 'on'));
    onPreference(showSound);
    showSound();
  }

  /** @param {GameState} state */
  render(state) {
    const { you, rated, status, seats, plies, offers, canAbort, next } = state;
    const open = (/** @type {OfferKind} */ kind) => offers.some(offer => offer.kind === kind && offer.by === you);
    const live = you !== null && status === 'live';
    this.#flagging.render(state);
    this.#wasLive ||= live;
    for (const button of this.#during) {
      this.#show(button, you !== null && (button.dataset.during ?? '').split(' ').includes(status), status);
    }
    this.#show(this.#abort, you !== null && canAbort, status);
    setText(this.#abortWords, t(status === 'open' ? 'round.withdraw' : 'round.abort'));
    this.#show(this.#resign, you !== null && ['live', 'adjourned'].includes(status) && !canAbort, status);
    this.#show(this.#takeback, you !== null && status !== 'over' && !rated, status);
    this.#standStill = isByDays(state) ? 'pause' : 'adjourn';
    this.#adjourn.hidden = !live || plies.length < 2 || !hasClock(state) || computerSide(state) !== null;
    this.#adjourn.disabled = open(this.#standStill);
    this.#draw.disabled = !['live', 'adjourned'].includes(status) || plies.length === 0 || open('draw');
    const own = you === turnOf(state.startFen) ? 1 : 2;
    this.#takeback.disabled = !live || plies.length < own || open('takeback');
    this.#rematch.hidden = you === null || status !== 'over' || next !== null || !seats.white.name || !seats.black.name;
    this.#rematch.disabled = open('rematch') || (you !== null && seats[opposite(you)].deleted === 1);
  }

  /** At the end of a game that the reader has played, what goes leaves its place empty: nothing moves under the pointer that
   * has just resigned. @param {HTMLButtonElement} button @param {boolean} shown @param {GameState['status']} status */
  #show(button, shown, status) {
    const leaves = status === 'over' && this.#wasLive && !shown && button.parentElement === this.#row;
    button.classList.toggle('gone', leaves);
    button.hidden = !shown && !(leaves && !button.hidden);
  }
}

/** As wide as the widest of them (panel.css). @param {HTMLElement} label @param {string[]} others */
const keepRoom = (label, ...others) => {
  label.dataset.other = others.join('\n');
};

/** Makes a button act on the second press; the first only arms it for a moment.
 * @param {HTMLButtonElement} button @param {string} question @param {() => void} act
 * @param {string[]} others words of the button that stands in the same place at other times */
function confirmed(button, question, act, others = []) {
  const label = button.querySelector('span') ?? button;
  const words = label.textContent ?? '';
  // The other words keep their room (panel.css), so that no button moves between the two presses.
  const say = (/** @type {string} */ said, /** @type {string} */ other) => {
    label.textContent = said;
    keepRoom(label, other, ...others);
  };
  say(words, question);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let armed;
  const disarm = () => {
    clearTimeout(armed);
    armed = undefined;
    button.classList.remove('confirm');
    say(words, question);
  };
  button.addEventListener('click', () => {
    if (armed) {
      disarm();
      return act();
    }
    button.classList.add('confirm');
    shield(button);
    say(question, words);
    armed = setTimeout(disarm, CONFIRM_MS);
  });
  button.addEventListener('blur', () => button.classList.contains('shielded') || disarm());
}

// A menu that is folded into a <details>: it closes once a button in it or anything else is pressed, and by Escape.

/** @param {HTMLDetailsElement} menu */
function closeOnLeaving(menu) {
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
  menu.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('button');
    // One that asks first has to be pressed once more.
    if (button && !button.classList.contains('confirm')) menu.open = false;
  });
  menu.addEventListener('keydown', event => {
    if (event.key !== 'Escape' || !menu.open) return;
    event.stopPropagation();
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
}
