/**
 * The board on the page: one state, methods that change it, and chessgroundx as the painter. What the server says
 * (FEN, legal moves) is the truth; a move made here is handed to `onMove`, and the next `show` confirms or undoes it.
 * Knows no network and no game.
 *
 * @import { Gestures, Option } from './gestures.js'
 * @import { Position } from './position.js'
 * @import { Premove } from './premove.js'
 * @import { Choose } from './choices/question.js'
 * @import { Color, Variant } from './variant.js'
 *
 * @typedef {object} View   a position to show
 * @property {string} fen   from the server
 * @property {string[]} lastMove   squares
 * @property {boolean} check   the side to move is in check
 * @property {Color | null} side   whose pieces the person may move; null: nobody's
 * @property {string[] | null} legal   UCI; null: it is not this person's turn, and they can only premove
 * @property {string | null} [sent]   UCI: their move in that position, on its way to the server
 * @property {boolean} [past]   an earlier position: nothing can be moved, and a premove is kept but not shown
 *
 * @typedef {object} BoardOptions
 * @property {HTMLElement} element
 * @property {HTMLElement} pocketTop
 * @property {HTMLElement} pocketBottom
 * @property {Variant} variant
 * @property {Choose} choose   asks when a gesture can mean several moves
 * @property {(uci: string, premoved: boolean) => void} onMove   must lead to a call of `show`, with the move as `sent` or with a new FEN
 * @property {() => void} [onPremove]   a premove has been set or cancelled; see `premove`
 * @property {(move: string) => void} [onRefusedPremove]   the premove was not legal when it was to be played
 */
import { DropHere } from './choices/drop_here.js';
import { fromKey, toKey, toLibraryRole } from './geometry.js';
import { gesturesOf, matchPremove } from './gestures.js';
import { createLibrary, moveEvents, pickedUp, showMarks } from './library.js';
import { Overlay } from './overlay.js';
import { PlannedPremove } from './planned_premove.js';
import { PocketFirst } from './choices/pocket_first.js';
import { formatBoard, parseFen, parseUci, predict } from './position.js';
import { gatePremoves, predropTargets, premoveOptions, premoveTargets } from './premove.js';
import { Questions } from './choices/question.js';
import { refusalWords } from './refusal.js';
import { opposite } from './variant.js';

export class Board {
  #options;
  #library;
  #overlay;
  /** @type {View} */
  #view;
  /** @type {View | null} the one that `#position` and `#gestures` are of */
  #seen = null;
  /** @type {Position} */
  #position;
  /** @type {Gestures} */
  #gestures = new Map();
  /** @type {string | null} first field of the FEN that the library shows; null: the player has moved a piece on it */
  #painted = null;
  #planned;
  #questions;
  /** Gating by taking the piece of the pocket first. */
  pocketFirst;
  /** Asks on an empty square what of the pocket is to be dropped there. */
  dropHere;

  /** @param {BoardOptions} options */
  constructor(options) {
    this.#options = options;
    this.#questions = new Questions(options.choose);
    const { variant, element, pocketTop, pocketBottom } = options;
    this.#view = { fen: variant.startFen, lastMove: [], check: false, side: null, legal: null };
    this.#position = parseFen(variant.startFen);
    this.#overlay = new Overlay(variant, () => this.orientation === 'white');
    const wrap = document.createElement('div');
    wrap.className = 'cg-wrap';
    element.append(wrap);
    this.#library = createLibrary(variant, wrap, pocketTop, pocketBottom, this.#handlers());
    this.#planned = new PlannedPremove(
      this.#library,
      (from, to) => void this.#premoved(from, to),
      () => options.onPremove?.(),
    );
    this.#overlay.attach(this.#library.state.dom.elements.container);
    const situation = () => ({
      position: this.#position,
      side: this.#view.past ? null : this.#view.side,
      gestures: this.#isMyTurn() ? this.#gestures : null,
    });
    this.pocketFirst = new PocketFirst(variant, this.#library, this.#overlay, situation);
    this.dropHere = new DropHere(variant, this.#questions, situation, {
      move: uci => this.play(uci),
      premove: premove => this.#plan(premove),
      nothing: () => this.show(this.#view),
    });
    const isIdle = () => !this.isHolding && !this.premove;
    if (variant.drops) this.dropHere.watch(element, isIdle, (x, y) => this.squareAt(x, y));
  }

  /** @returns {import('./library.js').Handlers} */
  #handlers() {
    const { variant } = this.#options;
    return {
      premoveTargets: square => premoveTargets(variant, this.#position, square),
      predropTargets: (color, role) => [
        ...predropTargets(variant, this.#position, color, role),
        ...gatePremoves(variant, this.#position, color, role),
      ],
      unset: () => {
        this.#planned.set(null);
        this.#planned.mark(false);
      },
      picked: () => this.pocketFirst.follow(),
      // The first time the board is not there yet; then the constructor does it.
      inserted: container => this.#library && this.#overlay.attach(container),
    };
  }

  /** @returns {Position} the shown position, without a move that is just being made in it */
  get position() {
    return this.#position;
  }

  /** @returns {Color | null} whose pieces the person may move; null: nobody's */
  get side() {
    return this.#view.side;
  }

  /** @param {string} square @returns {'stuck' | 'checked' | null} why its piece cannot move; null: it can, or nobody may move it now */
  hindrance(square) {
    const { pieces, turn } = this.#position;
    const own = this.#isMyTurn() && this.side === turn && pieces.get(square)?.color === turn;
    if (!own || this.#gestures.has(square)) return null;
    return this.#view.check ? 'checked' : 'stuck';
  }

  /**
   * Why what is picked up cannot go to a square, as a sentence; null: it can, another piece would be picked up there, or it is
   * not this person's turn. @param {string} square
   */
  refusal(square) {
    const origin = pickedUp(this.#library);
    if (!origin || origin === square || !this.#isMyTurn()) return null;
    if (this.#position.pieces.get(square)?.color === this.side || this.#gestures.get(origin)?.has(square)) return null;
    return refusalWords(this.#options.variant, this.#position, { origin, square, check: this.#view.check });
  }

  get premove() {
    return this.#planned.current;
  }

  get overlay() {
    return this.#overlay;
  }

  /** @returns {Color} the side at the bottom */
  get orientation() {
    return this.#library.state.orientation;
  }

  /** @returns {boolean} whether a piece is picked up, by click or by drag */
  get isHolding() {
    return !!(this.#library.state.selectable.selected || this.#library.state.draggable.current);
  }

  /** @param {View} view */
  show(view) {
    // The library forgets with the next painting that a move has just been made.
    this.pocketFirst.follow();
    const moved = !isSamePosition(view, this.#view);
    if (moved) this.pocketFirst.forget();
    this.#view = view;
    if (this.#questions.about === 'move') {
      if (!moved) return;
      this.#questions.abort();
    }
    if (!this.#seen || !isSamePosition(view, this.#seen) || view.legal !== this.#seen.legal) this.#read();
    this.#paint();
    this.pocketFirst.follow();
    if (this.#isMyTurn()) this.#playPremove();
    else if (!this.#questions.about) this.#planned.mark(!view.past);
  }

  /** Finds out what stands on the board, and what can be done there. */
  #read() {
    const { variant } = this.#options;
    const { fen, sent, legal } = this.#view;
    this.#seen = this.#view;
    const position = parseFen(fen);
    this.#position = sent ? predict(variant, position, parseUci(sent)) : position;
    this.#gestures = this.#isMyTurn() ? gesturesOf(variant, position, legal ?? []) : new Map();
  }

  /** Plays a legal move that was typed or chosen elsewhere. @param {string} uci */
  play(uci) {
    this.#options.onMove(uci, false);
  }

  /** @param {Color} color the side at the bottom */
  setOrientation(color) {
    if (color !== this.orientation) this.#library.toggleOrientation();
  }

  /** Puts down the piece that is picked up, and cancels the premove. */
  cancel() {
    this.#library.cancelMove();
    this.pocketFirst.follow();
    this.#planned.cancel();
  }

  /** Picks up or puts down a piece, as a click would. @param {string} square */
  select(square) {
    this.#library.selectSquare(toKey(square));
    this.pocketFirst.follow();
  }

  /** @param {Color} color @param {string} role */
  selectPocket(color, role) {
    this.#library.selectPocket({ color, role: toLibraryRole(role) });
    this.pocketFirst.follow();
  }

  /** @param {number} x @param {number} y px, in the window @returns {string | null} null: beside the board */
  squareAt(x, y) {
    const key = this.#library.getKeyAtDomPos([x, y]);
    return key ? fromKey(key) : null;
  }

  /** @param {import('./library.js').Mark[]} marks arrows, in place of those before */
  mark(marks) {
    showMarks(this.#library, marks);
  }

  #isMyTurn() {
    return !!this.#view.legal && !this.#view.past && !this.#view.sent;
  }

  /** Tells the library what is on the board, and who may move. */
  #paint() {
    const view = this.#view;
    const { turn } = this.#position;
    const board = formatBoard(this.#options.variant, this.#position);
    if (board !== this.#painted) this.#library.set({ fen: board });
    this.#painted = board;
    this.#library.set({
      // The library accepts premoves only while it thinks that the opponent is to move.
      turnColor: view.side && !this.#isMyTurn() ? opposite(view.side) : turn,
      lastMove: view.lastMove.length ? view.lastMove.map(toKey) : undefined,
      check: view.check && !view.sent ? turn : false,
      movable: {
        color: (!view.past && view.side) || undefined,
        dests: this.pocketFirst.dests(),
        events: moveEvents((from, to) => void this.#moved(view, from, to)),
      },
    });
    // As at the end of a game: what somebody holds can go nowhere any more.
    if (!view.side && this.isHolding) this.cancel();
    this.#planned.listen();
  }

  /**
   * The player has moved a piece. The library reports it a moment late: if another position is shown by then, the move is
   * dropped. @param {View} view the one they moved in @param {string} from @param {string} to
   */
  async #moved(view, from, to) {
    this.#painted = null;
    if (!isSamePosition(view, this.#view)) return void this.show(this.#view);
    const chosen = await this.#ask('move', from, to, this.#gestures.get(from)?.get(to) ?? []);
    if (chosen === 'outdated') return;
    if (chosen) this.play(chosen.uci);
    else this.show(this.#view);
  }

  /** A premove has been set; the player chooses now what it promotes to or gates. @param {string} from @param {string} to */
  async #premoved(from, to) {
    if (this.pocketFirst.isGate(from, to)) return;
    const options = premoveOptions(this.#options.variant, this.#position, from, to);
    const chosen = await this.#ask('premove', from, to, options);
    if (chosen === 'outdated') return;
    this.#plan(chosen && { from, to, option: chosen });
  }

  /** @param {Premove | null} premove */
  #plan(premove) {
    this.#planned.set(premove);
    // The library reports it a moment late: a position shown in between has removed its mark.
    this.#planned.mark(true);
    if (premove && this.#isMyTurn()) this.#playPremove();
  }

  /** @param {'move' | 'premove'} about @param {string} from @param {string} to @param {Option[]} options */
  #ask(about, from, to, options) {
    const color = this.#view.side ?? this.#position.turn;
    const meant = this.pocketFirst.settle(from, options);
    return this.#questions.ask(about, { options: meant, from, to, color });
  }

  #playPremove() {
    const premove = this.#planned.take();
    if (!premove) return;
    const option = matchPremove(this.#gestures, premove);
    if (option) this.#options.onMove(option.uci, true);
    else this.#options.onRefusedPremove?.(`${premove.from}${premove.to}`);
  }
}

/** @param {View} view @param {View} other */
const isSamePosition = (view, other) => view.fen === other.fen && view.past === other.past && view.sent === other.sent;
