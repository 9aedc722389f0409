/**
 * Gating in one gesture: a piece of the pocket is taken first, the pieces behind which it can enter are marked, and one of
 * them moves. Follows what the board library has picked up, which knows drops only. Judges nothing.
 *
 * @import { Entering } from '../entering.js'
 * @import { Gestures, Option } from '../gestures.js'
 * @import { Library } from '../library.js'
 * @import { Overlay } from '../overlay.js'
 * @import { Position } from '../position.js'
 * @import { Color, Variant } from '../variant.js'
 *
 * @typedef {object} Situation   on the board
 * @property {Position} position
 * @property {Color | null} side   whose pieces the person may move or premove
 * @property {Gestures | null} gestures   null: they can only premove
 */
import { follow, targets } from '../entering.js';
import { entering, gatesFor } from '../gestures.js';
import { toKey } from '../geometry.js';
import { dragged, isJustMoved, libraryDests, pickedUp, premoveOf } from '../library.js';
import { gatePremoves, gatingSquares, heldToGate } from '../premove.js';

export class PocketFirst {
  #variant;
  #library;
  #overlay;
  #situation;
  /** @type {Entering | null} */
  #now = null;
  /** @type {Entering | null} it has just left with the piece to which it is bound, and the library has not told of that move yet */
  #leaving = null;
  /** @type {Position | null} the one whose marks are shown */
  #marked = null;

  /** @param {Variant} variant @param {Library} library @param {Overlay} overlay @param {() => Situation} situation */
  constructor(variant, library, overlay, situation) {
    this.#variant = variant;
    this.#library = library;
    this.#overlay = overlay;
    this.#situation = situation;
    if (variant.gates.length) for (const kind of ['mouseup', 'touchend']) this.#watch(kind);
  }

  /** @returns {Entering | null} what was taken first */
  get now() {
    return this.#now;
  }

  /** The pieces behind which that kind of the own pocket can enter, now or in a premove. @param {string} role @returns {string[]} squares */
  gatesFor(role) {
    const { gestures, position, side } = this.#situation();
    if (gestures) return gatesFor(gestures, role);
    return side ? gatePremoves(this.#variant, position, side, role) : [];
  }

  /** Where each piece can go by a move; in a premove the library asks for each. */
  dests() {
    const { gestures } = this.#situation();
    const found = gestures ? targets(gestures, this.#now, this.#kinds, role => this.gatesFor(role)) : new Map();
    return libraryDests(found);
  }

  /** What a move can mean, now that it is made; from here on nothing is held. @param {string} from @param {Option[]} options */
  settle(from, options) {
    const held = [this.#leaving, this.#now].find(each => each?.square === from);
    this.#now = this.#leaving = null;
    return held ? entering(options, held.role) : options;
  }

  /** Another position is shown: no move will be told of any more. */
  forget() {
    this.#leaving = null;
  }

  /** Whether a premove that the library has reported as a drop is none: it only takes a piece up. @param {string} from @param {string} to */
  isGate(from, to) {
    const { position, side } = this.#situation();
    return from.endsWith('@') && position.pieces.get(to)?.color === side;
  }

  /** Finds out what the person holds, and shows what can be done with it. */
  follow() {
    if (!this.#variant.gates.length) return;
    const [before, premove] = [this.#now, premoveOf(this.#library)];
    if (before && !before.square && premove && this.gatesFor(before.role).includes(premove[1])) {
      // The library took it for a drop.
      this.#library.state.premovable.current = undefined;
      this.#library.selectSquare(toKey(premove[1]));
    }
    const moved = isJustMoved(this.#library);
    const picked = pickedUp(this.#library);
    if (before?.square && !picked && (moved || premove?.[0] === before.square)) this.#leaving = before;
    const hand = { picked, moved: moved || this.#leaving !== null };
    this.#now = follow(before, hand, this.#kinds, role => this.gatesFor(role));
    const changed = before?.role !== this.#now?.role || before?.square !== this.#now?.square;
    const { gestures, position } = this.#situation();
    if (changed && gestures && !moved) this.#library.set({ movable: { dests: this.dests() } });
    if (changed || position !== this.#marked) this.#mark(position);
  }

  /** @param {Position} position */
  #mark(position) {
    this.#marked = position;
    const free = this.#now && !this.#now.square ? this.gatesFor(this.#now.role) : [];
    this.#overlay.showGates(gatingSquares(this.#variant, position), free, this.#now?.square ?? null);
    const { wrap, pocketTop, pocketBottom } = this.#library.state.dom.elements;
    wrap.classList.toggle('gating', free.length > 0);
    const side = this.#situation().side ?? position.turn;
    for (const pocket of [pocketTop, pocketBottom])
      for (const piece of pocket?.querySelectorAll('piece') ?? [])
        piece.classList.toggle(
          'entering',
          !!this.#now?.square && piece.matches(`.${side}[data-role="${this.#now.role}-piece"]`),
        );
  }

  /** @returns {string[]} the kinds that enter so */
  get #kinds() {
    const { position, side } = this.#situation();
    return side ? heldToGate(this.#variant, position, side) : [];
  }

  /** The library reports no piece of the pocket that is dragged onto another piece. @param {string} kind of event */
  #watch(kind) {
    /** @type {string | null} */
    let over = null;
    document.addEventListener(kind, () => (over = dragged(this.#library)), { capture: true });
    document.addEventListener(kind, () => {
      if (over && this.#now && this.gatesFor(this.#now.role).includes(over)) this.#library.selectSquare(toKey(over));
      this.follow();
    });
  }
}
