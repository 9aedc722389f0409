/**
 * Highlights and announces the moves of a piece while the pointer rests on it or a finger holds it.
 *
 * @import { Board } from '../../board/board.js'
 * @import { Variant } from '../../board/variant.js'
 */
import { fromLibraryRole } from '../../board/geometry.js';
import { reachFromPocket, reachOnBoard, watchPointer } from '../../board/piece_reach.js';

/**
 * @param {Variant} variant @param {Board} board @param {HTMLElement[]} places board and pockets, or their container
 * @param {(text: string, left: boolean) => void} say '' if there is no piece; `left`: the pointer has left
 */
export function showPieceReach(variant, board, places, say) {
  /** @param {{x: number, y: number, target: Element, touch: boolean} | null} at */
  const reachAt = at => {
    // A finger on a piece always picks it up; a mouse can rest on one.
    if (!at || (board.isHolding && !at.touch)) return null;
    const role = at.target.getAttribute('data-role');
    if (role) {
      const color = at.target.getAttribute('data-color') === 'black' ? 'black' : 'white';
      return reachFromPocket(variant, board.position, color, fromLibraryRole(role));
    }
    const square = board.squareAt(at.x, at.y);
    return square ? reachOnBoard(variant, board.position, square) : null;
  };
  for (const place of places)
    watchPointer(place, at => {
      const reach = reachAt(at);
      board.overlay.showReach(reach);
      say(reach?.text ?? '', !at);
    });
}

/** As long as it takes to read the words twice, ms. */
const READ_MS = 5000;

/**
 * Shows words that stay a while when the finger is lifted, so that they can be read; the text in the template is shown where
 * there is no piece.
 * @param {HTMLElement} place @returns {(text: string, left: boolean) => void}
 */
export function lastingWords(place) {
  const idle = [...place.childNodes];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let reading;
  return (text, left) => {
    clearTimeout(reading);
    if (text) place.textContent = text;
    else if (!left) place.replaceChildren(...idle);
    else reading = setTimeout(() => place.replaceChildren(...idle), READ_MS);
  };
}

/**
 * Shows words until they are taken back, unless others have replaced them by then.
 * @param {HTMLElement} place
 * @returns {(text: string, square?: boolean) => void} '' takes them back; `square`: they begin with the name of a square
 */
export function passingWords(place) {
  const idle = [...place.childNodes];
  let shown = '';
  return (text, square = false) => {
    place.toggleAttribute('data-square', square && text !== '');
    if (text) place.textContent = text;
    else if (shown && place.textContent === shown) place.replaceChildren(...idle);
    shown = text;
  };
}
