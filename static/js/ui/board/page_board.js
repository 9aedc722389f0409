/**
 * The board in a page's template, between its two pockets: pieces move by mouse, finger and keyboard, and show how they
 * move. Knows no game.
 *
 * @import { BoardOptions } from '../../board/board.js'
 * @import { Variant } from '../../board/variant.js'
 */
import { Board } from '../../board/board.js';
import { BoardKeys } from '../../board/keyboard.js';
import { squareWords } from '../../board/position.js';
import { SmallSquares } from '../../board/small_squares.js';
import { askChoice, questionWords } from './choice.js';
import { byId } from '../dom.js';
import { lastingWords, passingWords, showPieceReach } from './piece_reach.js';
import { addSizeHandle } from './size_handle.js';
import { styleBoard } from '../../../pieces/board_style.mjs';
import { t } from '../../words.js';

/**
 * @param {Variant} variant @param {(text: string) => void} say
 * @param {Pick<BoardOptions, 'onMove' | 'onPremove' | 'onRefusedPremove'>} events
 */
export function pageBoard(variant, say, events) {
  styleBoard(byId('round'), variant);
  const box = byId('board').parentElement;
  if (box) addSizeHandle(box);
  const places = { element: byId('board'), pocketTop: byId('pocket-top'), pocketBottom: byId('pocket-bottom') };
  const name = passingWords(byId('board-says'));
  /** @type {Board} */
  const board = new Board({
    ...places,
    ...events,
    variant,
    choose: question => {
      name(questionWords(question));
      return askChoice(variant, places.element, board.orientation, question).finally(() => name(''));
    },
  });
  const pockets = { top: places.pocketTop, bottom: places.pocketBottom };
  new BoardKeys({ element: places.element, board, variant, pockets, say });
  showPieceReach(variant, board, Object.values(places), lastingWords(byId('board-says')));
  const explain = passingWords(byId('board-says'));
  // After the reach of pieces, whose words these take the place of.
  places.element.addEventListener('pointerdown', ({ clientX, clientY }) => {
    const square = board.squareAt(clientX, clientY);
    const why = square && board.hindrance(square);
    explain(why ? t(why === 'checked' ? 'board.stuck_in_check' : 'board.stuck') : '');
  });
  new SmallSquares(places.element, board, variant, at =>
    name(at ? squareWords(variant, board.position, at) : '', true),
  );
  return board;
}
