/**
 * The puzzles of one form: the board, and what stands beside it.
 *
 * @import { VariantAtStart } from '../rules/free_play.js'
 * @import { Words } from '../puzzles/puzzle_panel.js'
 */
import { PuzzlePanel } from '../puzzles/puzzle_panel.js';
import { LiveBoard } from '../rules/live_board.js';
import { byId, pageFacts, setText } from '../ui/dom.js';

/** @type {{form: string, variant: VariantAtStart, words: Words & {board: string}}} */
const { form, variant, words } = pageFacts();

const board = new LiveBoard(variant, said => setText(byId('try-piece'), said), words.board);
byId('try-board').replaceChildren(board.element);
board.show({ fen: variant.startFen, check: false, legal: null });
void new PuzzlePanel({ board, form, variant: variant.id, words }).begin();
