/**
 * Creates a board with both pockets, styled and showing where pieces go, for pages whose template has none. Knows no game; the caller
 * shows the positions.
 *
 * @import { Variant } from '../../board/variant.js'
 */
import { styleBoard } from '../../../pieces/board_style.mjs';
import { Board } from '../../board/board.js';
import { squareWords } from '../../board/position.js';
import { SmallSquares } from '../../board/small_squares.js';
import { askChoice } from './choice.js';
import { create } from '../dom.js';
import { showPieceReach } from './piece_reach.js';

/**
 * @param {Variant} variant
 * @param {(uci: string) => void} onMove
 * @param {(text: string) => void} say words about the piece under the pointer; '' if there is none
 */
export function createBoard(variant, onMove, say) {
  const [top, element, bottom] = ['pocket', 'board', 'pocket'].map(name => create('div', name));
  const look = variant.pocket === 'none' ? 'stage-board' : 'stage-board with-pockets';
  const whole = create('div', look, top, element, bottom);
  styleBoard(whole, variant);
  /** @type {Board} */
  const board = new Board({
    element,
    pocketTop: top,
    pocketBottom: bottom,
    variant,
    onMove,
    choose: question => askChoice(variant, element, board.orientation, question),
  });
  showPieceReach(variant, board, [whole], say);
  new SmallSquares(element, board, variant, at => say(at ? squareWords(variant, board.position, at) : ''));
  return { whole, element, pockets: { top, bottom }, board };
}
