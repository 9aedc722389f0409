/** What the analysis page loads when somebody sets a position up by hand: nothing of it is loaded before. */
export { BoardEditor } from '../../editor/board_editor.js';
