/**
 * The dialog in which a position is set up: board, a palette with every piece, pockets, whose turn it is, and which rights are
 * left. Hands the FEN over and shows why it was refused.
 *
 * @import { Piece } from '../board/position.js'
 * @import { Color, Variant } from '../board/variant.js'
 * @import { EditedPosition } from './edited_position.js'
 */
import { styleBoard } from '../../pieces/board_style.mjs';
import { toLibraryRole } from '../board/geometry.js';
import { isDisguised } from '../board/position.js';
import { pieceWords } from '../board/variant.js';
import { buttonById, byId, create, createButton, element, setText } from '../ui/dom.js';
import { t } from '../words.js';
import {
  choosableRights,
  editedPosition,
  emptied,
  formatFen,
  placeable,
  withInPocket,
  withMoved,
  withPiece,
  withRight,
} from './edited_position.js';
import { EditingBoard, wordsOf } from './editing_board.js';

const COLORS = /** @type {const} */ (['white', 'black']);
/** Tools that are no piece. */
const MOVE = 'move';
const REMOVE = 'remove';

export class BoardEditor {
  #variant;
  #put;
  #dialog = element('editor', HTMLDialogElement);
  #turn = element('editor-turn', HTMLSelectElement);
  #board;
  /** @type {Map<string, HTMLButtonElement>} by tool: 'move', 'remove', or the piece in words */
  #tools = new Map();
  /** @type {Map<string, Piece>} by tool; the others put none */
  #pieces = new Map();
  #tool = MOVE;
  /** @type {EditedPosition} */
  #position;

  /** @param {Variant} variant @param {(fen: string) => Promise<string>} put   '' or why it was refused */
  constructor(variant, put) {
    this.#variant = variant;
    this.#put = put;
    this.#position = editedPosition(variant.startFen);
    styleBoard(this.#dialog, variant);
    this.#board = new EditingBoard(byId('editor-board'), variant, {
      draws: () => this.#tool !== MOVE,
      act: square => this.#change(withPiece(variant, this.#position, square, this.#pieces.get(this.#tool) ?? null)),
      move: (from, to) =>
        this.#change(
          to ? withMoved(variant, this.#position, from, to) : withPiece(variant, this.#position, from, null),
        ),
    });
    this.#fillPalette();
    this.#listen();
  }

  /** @param {string} fen of the position to begin with */
  open(fen) {
    setText(byId('editor-problem'), '');
    this.#board.letGo();
    this.#choose(MOVE);
    this.#change(editedPosition(fen));
    this.#dialog.showModal();
  }

  #listen() {
    const { startFen } = this.#variant;
    buttonById('editor-start').addEventListener('click', () => this.#change(editedPosition(startFen)));
    buttonById('editor-empty').addEventListener('click', () => this.#change(emptied(this.#position)));
    this.#turn.addEventListener('change', () =>
      this.#change({ ...this.#position, turn: this.#turn.value === 'black' ? 'black' : 'white' }),
    );
    buttonById('editor-cancel').addEventListener('click', () => this.#dialog.close());
    buttonById('editor-done').addEventListener('click', () => void this.#finish());
  }

  async #finish() {
    const refused = await this.#put(formatFen(this.#variant, this.#position));
    setText(byId('editor-problem'), refused);
    if (!refused) this.#dialog.close();
  }

  #fillPalette() {
    const tool = (/** @type {string} */ name, /** @type {string} */ words, /** @type {Node | string} */ content) => {
      const button = createButton('button', () => this.#choose(name), content);
      button.title = button.ariaLabel = words;
      this.#tools.set(name, button);
      return button;
    };
    const rows = COLORS.map(color =>
      placeable(this.#variant, color).map(piece => {
        const name = wordsOf(this.#variant, piece);
        this.#pieces.set(name, piece);
        return tool(name, name, picture(piece));
      }),
    );
    const words = [
      tool(MOVE, t('editor.move'), t('editor.move')),
      tool(REMOVE, t('editor.remove'), t('editor.remove')),
    ];
    byId('editor-palette').replaceChildren(...[words, ...rows].map(row => create('div', 'editor-row', ...row)));
  }

  /** @param {string} tool */
  #choose(tool) {
    this.#tool = tool;
    this.#board.letGo();
    for (const [name, button] of this.#tools) button.setAttribute('aria-pressed', String(name === tool));
  }

  /** @param {EditedPosition} position */
  #change(position) {
    this.#position = position;
    this.#board.show(position);
    this.#turn.value = position.turn;
    this.#showRights();
    if (this.#variant.pocket !== 'none')
      byId('editor-pockets').replaceChildren(...COLORS.map(color => this.#pocket(color)));
  }

  #showRights() {
    const rights = choosableRights(this.#variant, this.#position);
    byId('editor-rights').hidden = !rights.length;
    const boxes = rights.map(({ letter, can }) => {
      const box = Object.assign(create('input', 'switch'), { type: 'checkbox', disabled: !can });
      box.checked = can && this.#position.rights.includes(letter);
      box.addEventListener('change', () => this.#change(withRight(this.#position, letter)));
      return create('label', 'switched', box, create('span', '', this.#rightWords(letter)));
    });
    byId('editor-rights-list').replaceChildren(...boxes);
  }

  /** @param {string} letter */
  #rightWords(letter) {
    const side = t(letter > 'Z' ? 'terms.black' : 'terms.white');
    if (!this.#variant.castling) return t('editor.first_move', { side });
    const way = { k: 'O-O', q: 'O-O-O' }[letter.toLowerCase()] ?? letter.toLowerCase();
    return `${side} ${way}`;
  }

  /** @param {Color} color */
  #pocket(color) {
    const kinds = this.#variant.pocketRoles.map(role => {
      const name = pieceWords(this.#variant, { color, role });
      const count = this.#position.pockets[color].get(role) ?? 0;
      const by = (/** @type {number} */ n) => () => this.#changePocket(color, role, n);
      const less = createButton('button', by(-1), '−');
      const more = createButton('button', by(1), '+');
      less.disabled = !count;
      less.ariaLabel = t('editor.less', { piece: name });
      more.ariaLabel = t('editor.more', { piece: name });
      [less.dataset.by, more.dataset.by] = [`${color} ${role} -`, `${color} ${role} +`];
      return create(
        'li',
        '',
        less,
        create('span', 'editor-held', picture({ role, color, promoted: false }), create('b', '', String(count))),
        more,
      );
    });
    const list = create('ul', 'editor-pocket', ...kinds);
    list.setAttribute('aria-label', t(color === 'white' ? 'editor.pocket_white' : 'editor.pocket_black'));
    return list;
  }

  /** The button that was pressed keeps the focus. @param {Color} color @param {string} role @param {number} by */
  #changePocket(color, role, by) {
    const pressed = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.by : undefined;
    this.#change(withInPocket(this.#position, color, role, by));
    if (pressed)
      /** @type {HTMLElement | null} */ (byId('editor-pockets').querySelector(`[data-by="${pressed}"]`))?.focus();
  }
}

/** @param {Piece} piece */
function picture(piece) {
  const drawn = document.createElement('piece');
  drawn.className = `${toLibraryRole(piece.role)} ${piece.color}`;
  drawn.classList.toggle('promoted', isDisguised(piece));
  return drawn;
}
