/**
 * The dialog that asks which move is meant when several are possible: promotions, gated pieces, or the plain move.
 * Works by mouse, touch and keyboard; Escape cancels the move. Knows no board.
 *
 * @import { Option } from '../board/gestures.js'
 * @import { Color, Variant } from '../board/variant.js'
 */
import { toLibraryRole } from '../board/geometry.js';
import { roleName } from '../board/variant.js';
import { t } from '../words.js';
import { create } from './dom.js';
import { styleBoard } from '../../pieces/board_style.mjs';

/**
 * @param {Variant} variant @param {Option[]} options at least two @param {Color} color
 * @param {AbortSignal} signal closes the dialog when the question is out of date
 * @returns {Promise<Option | null>} null: the move is cancelled
 */
export function askChoice(variant, options, color, signal) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('choice'));
  const title = /** @type {HTMLElement} */ (document.getElementById('choice-title'));
  const gates = options.some(option => option.gate);
  title.textContent = t(gates ? 'board.ask_gate' : 'board.ask_promotion');
  const places = new Set(options.flatMap(({ gate }) => gate ?? []));
  dialog
    .querySelector('.choices')
    ?.replaceChildren(
      ...options.map((option, index) =>
        choiceButton(option, String(index), wordsFor(variant, option, gates, places.size), color),
      ),
    );
  styleBoard(dialog, variant);
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise(resolve => {
    const done = () => resolve(options[Number(dialog.returnValue || NaN)] ?? null);
    dialog.addEventListener('close', done, { once: true });
    signal.addEventListener('abort', () => dialog.close(), { once: true });
  });
}

/** @param {Variant} variant @param {Option} option @param {boolean} gates @param {number} places */
function wordsFor(variant, { role, gate }, gates, places) {
  if (!role) return t(gates ? 'board.gate_nothing' : 'board.stay');
  return places > 1 && gate
    ? t('board.piece_on', { piece: roleName(variant, role), square: gate })
    : roleName(variant, role);
}

/** @param {Option} option @param {string} value @param {string} words @param {Color} color */
function choiceButton({ role }, value, words, color) {
  const picture = role ? [create('piece', `${toLibraryRole(role)} ${color}`)] : [];
  return Object.assign(create('button', 'choice', ...picture, create('span', '', words)), { value });
}
