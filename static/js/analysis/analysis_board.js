/**
 * The analysis board with its pockets, the players' names and whose turn it is: creates it, and shows positions on it. One
 * person moves both sides. Knows nothing of the tree.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { Players } from './study.js'
 *
 * @typedef {object} Scene
 * @property {string} fen
 * @property {string} uci   the last move; '' at the start
 * @property {boolean} check
 * @property {string[] | null} legal   UCI; null: not known yet, and a move is kept until it is
 * @property {string | null} sent   UCI: a move in that position that the server has not answered
 * @property {boolean} held   the board is about to show something else: nothing can be moved
 * @property {Players | null} players
 */
import { lastMoveSquares } from '../board/position.js';
import { opposite } from '../board/variant.js';
import { turnOf } from '../game/model.js';
import { byId, setText } from '../ui/dom.js';
import { checkCount } from '../ui/board/check_count.js';
import { pageBoard } from '../ui/board/page_board.js';
import { renderTextBoard } from '../ui/board/text_board.js';
import { t } from '../words.js';

export class AnalysisBoard {
  #variant;
  #board;
  /** @type {'white' | 'black'} */
  #bottom = 'white';
  #shown = '';

  /** @param {Variant} variant @param {(text: string) => void} say @param {(uci: string) => void} onMove */
  constructor(variant, say, onMove) {
    this.#variant = variant;
    this.#board = pageBoard(variant, say, {
      onMove,
      onRefusedPremove: move => say(t('board.impossible', { text: move })),
    });
  }

  get position() {
    return this.#board.position;
  }

  /** @param {string} uci one of the legal moves */
  play(uci) {
    this.#board.play(uci);
  }

  /** @returns {'white' | 'black'} the side at the bottom */
  get bottom() {
    return this.#bottom;
  }

  /** @param {import('../board/library.js').Mark[]} marks arrows, in place of those before */
  mark(marks) {
    this.#board.mark(marks);
  }

  flip() {
    this.#bottom = opposite(this.#bottom);
  }

  /** @param {Scene} scene */
  show({ fen, uci, check, legal, sent, held, players }) {
    const moved = sent ?? uci;
    if (fen !== this.#shown) this.#board.cancel();
    this.#shown = fen;
    byId('board').setAttribute('aria-busy', String(held));
    this.#board.setOrientation(this.#bottom);
    this.#board.show({
      fen,
      check,
      sent,
      legal: held ? null : legal,
      lastMove: lastMoveSquares(moved),
      // While a move is on its way, the board would take the next one for a premove.
      side: sent || held ? null : turnOf(fen),
    });
    setText(byId('turn'), t(turnOf(fen) === 'white' ? 'round.white_moves' : 'round.black_moves'));
    this.#seat('seat-bottom', this.#bottom, turnOf(fen), players);
    this.#seat('seat-top', opposite(this.#bottom), turnOf(fen), players);
    renderTextBoard(byId('text-board'), this.#variant, this.#board.position);
  }

  /** @param {string} id @param {'white' | 'black'} color @param {'white' | 'black'} turn @param {Players | null} players */
  #seat(id, color, turn, players) {
    const seat = byId(id);
    const name = t(color === 'white' ? 'terms.white' : 'terms.black');
    seat.classList.toggle('turn', color === turn);
    const checks = checkCount(this.#variant, this.#board.position, color);
    seat.toggleAttribute('data-named', players !== null || checks.length > 0);
    seat.querySelector('.seat-name')?.replaceChildren(players ? `${players[color]} · ${name}` : name, ' ', ...checks);
  }
}
