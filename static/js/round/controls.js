/**
 * The row of buttons under the moves. Each is shown while it is of use; offering a draw and resigning need a second press.
 *
 * @import { GameState } from '../game/model.js'
 * @import { Command, OfferKind } from '../net/messages.js'
 */
import { opposite } from '../board/variant.js';
import { t } from '../words.js';
import { buttonById } from '../ui/dom.js';

const CONFIRM_MS = 4000;

export class Controls {
  #buttons = {
    flip: buttonById('flip'),
    draw: buttonById('draw'),
    adjourn: buttonById('adjourn'),
    takeback: buttonById('takeback'),
    abort: buttonById('abort'),
    resign: buttonById('resign'),
    rematch: buttonById('rematch'),
    sound: buttonById('sound'),
  };
  #sounds;

  /**
   * @param {object} options
   * @param {(command: Command) => void} options.send
   * @param {() => void} options.flip
   * @param {import('../ui/sound.js').Sounds} options.sounds
   */
  constructor({ send, flip, sounds }) {
    this.#sounds = sounds;
    const { draw, takeback, rematch, adjourn, abort, resign, sound } = this.#buttons;
    for (const [kind, button] of /** @type {[OfferKind, HTMLButtonElement][]} */ ([
      ['takeback', takeback],
      ['rematch', rematch],
      ['adjourn', adjourn],
    ]))
      button.addEventListener('click', () => send({ t: 'offer', kind }));
    abort.addEventListener('click', () => send({ t: 'abort' }));
    confirmed(draw, t('round.really'), () => send({ t: 'offer', kind: 'draw' }));
    confirmed(resign, t('round.really'), () => send({ t: 'resign' }));
    this.#buttons.flip.addEventListener('click', flip);
    sound.addEventListener('click', () => {
      sounds.toggle();
      this.#renderSound();
    });
    this.#renderSound();
  }

  #renderSound() {
    this.#buttons.sound.setAttribute('aria-pressed', String(this.#sounds.on));
  }

  /** @param {GameState} state */
  render({ you, rated, status, seats, plies, offers, canAbort, next, days, initial }) {
    const open = (/** @type {OfferKind} */ kind) => offers.some(offer => offer.kind === kind && offer.by === you);
    const live = you !== null && status === 'live';
    const { draw, takeback, adjourn, abort, resign, rematch } = this.#buttons;
    abort.hidden = you === null || !canAbort;
    resign.hidden = you === null || !['live', 'adjourned'].includes(status) || canAbort;
    draw.hidden = you === null || status === 'over';
    takeback.hidden = draw.hidden || rated;
    adjourn.hidden = !live || plies.length < 2 || days !== null || initial.white === null;
    adjourn.disabled = open('adjourn');
    draw.disabled = !['live', 'adjourned'].includes(status) || plies.length === 0 || open('draw');
    takeback.disabled = !live || plies.length === 0 || open('takeback');
    rematch.hidden = you === null || status !== 'over' || next !== null || !seats.white.name || !seats.black.name;
    rematch.disabled = open('rematch') || (you !== null && seats[opposite(you)].deleted === 1);
  }
}

/** Makes a button act on the second press; the first only arms it for a moment.
 * @param {HTMLButtonElement} button @param {string} question @param {() => void} act */
function confirmed(button, question, act) {
  const label = button.querySelector('span') ?? button;
  const words = label.textContent;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let armed;
  const disarm = () => {
    clearTimeout(armed);
    armed = undefined;
    button.classList.remove('confirm');
    label.textContent = words;
  };
  button.addEventListener('click', () => {
    if (armed) {
      disarm();
      return act();
    }
    button.classList.add('confirm');
    label.textContent = question;
    armed = setTimeout(disarm, CONFIRM_MS);
  });
  button.addEventListener('blur', disarm);
}
