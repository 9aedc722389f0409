/**
 * An empty square that is pressed while nothing is picked up asks what of the pocket is to be dropped there, now or in advance.
 *
 * @import { Gestures, Option } from '../gestures.js'
 * @import { Situation } from './pocket_first.js'
 * @import { Position } from '../position.js'
 * @import { Premove } from '../premove.js'
 * @import { Questions } from './question.js'
 * @import { Color, Variant } from '../variant.js'
 */
import { dropOrigin } from '../gestures.js';
import { predropTargets } from '../premove.js';

/** Farther than this a press has become a drag. */
const SLACK_PX = 8;

/** @param {Gestures} gestures @param {string} square @returns {Option[]} by kind of piece */
const dropsOn = (gestures, square) =>
  [...gestures].flatMap(([origin, fan]) =>
    origin.endsWith('@')
      ? (fan.get(square) ?? []).map(option => ({ ...option, role: origin.slice(0, -1).toLowerCase() }))
      : [],
  );

/** What can be dropped there in advance. @param {Variant} variant @param {Position} position @param {Color} color @param {string} square
 * @returns {Option[]} without UCI, as premoves have none */
const predropsOn = (variant, position, color, square) =>
  [...position.pockets[color]]
    .filter(([role, held]) => held > 0 && predropTargets(variant, position, color, role).includes(square))
    .map(([role]) => ({ uci: '', suffix: '', gate: null, role }));

export class DropHere {
  #variant;
  #questions;
  #situation;
  #answers;

  /**
   * @param {Variant} variant @param {Questions} questions @param {() => Situation} situation
   * @param {{move: (uci: string) => void, premove: (premove: Premove) => void, nothing: () => void}} answers what is done then
   */
  constructor(variant, questions, situation, answers) {
    this.#variant = variant;
    this.#questions = questions;
    this.#situation = situation;
    this.#answers = answers;
  }

  /** @param {string} square @returns {boolean} whether anything can be dropped there */
  ask(square) {
    const { gestures, position, side } = this.#situation();
    if (!side) return false;
    const options = gestures ? dropsOn(gestures, square) : predropsOn(this.#variant, position, side, square);
    if (options.length) void this.#drop(gestures ? 'move' : 'premove', square, side, options);
    return options.length > 0;
  }

  /** @param {'move' | 'premove'} about @param {string} to @param {Color} color @param {Option[]} options */
  async #drop(about, to, color, options) {
    const chosen = await this.#questions.ask(about, { options, from: null, to, color });
    if (chosen === 'outdated') return;
    if (!chosen) this.#answers.nothing();
    else if (about === 'move') this.#answers.move(chosen.uci);
    else this.#answers.premove({ from: dropOrigin(chosen.role ?? ''), to, option: { ...chosen, role: null } });
  }

  /**
   * Asks where a finger or the first mouse button is pressed and lifted again without moving.
   * @param {HTMLElement} element @param {() => boolean} isIdle whether a press does nothing else
   * @param {(x: number, y: number) => string | null} squareAt px, in the window
   */
  watch(element, isIdle, squareAt) {
    /** @type {PointerEvent | null} */
    let start = null;
    // Ahead of whatever the press changes: a question that it closes, a piece that it puts down.
    document.addEventListener(
      'pointerdown',
      event => {
        const here = event.target instanceof Node && element.contains(event.target);
        const counts = here && event.isPrimary && event.button === 0 && !this.#questions.about && isIdle();
        start = counts ? event : null;
      },
      { capture: true },
    );
    element.addEventListener('pointerup', event => {
      if (!start || start.pointerId !== event.pointerId) return;
      const moved = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY);
      start = null;
      const square = moved < SLACK_PX && isIdle() && squareAt(event.clientX, event.clientY);
      if (square) this.ask(square);
    });
  }
}
