/**
 * The panel beside the board: its tabs, the list of moves, the line that says whose turn it is, and the card at the end.
 * What is offered and asked stands there too, but is for the notices.
 *
 * @import { GameState } from '../../game/model.js'
 */
import { EndingCard } from './ending_card.js';
import { MoveList } from './move_list.js';
import { PanelTabs } from './panel_tabs.js';
import { TurnLine } from './turn_line.js';

export class Panel {
  tabs = new PanelTabs();
  #ending = new EndingCard();
  #line;
  #list;
  #isWaiting;

  /** @param {(ply: number) => void} goTo @param {(by: number) => void} step half-moves
   * @param {() => boolean} isWaiting whether a move waits to be confirmed */
  constructor(goTo, step, isWaiting) {
    this.#isWaiting = isWaiting;
    this.#line = new TurnLine(() => goTo(Infinity));
    this.#list = new MoveList(goTo, step);
  }

  /** @param {GameState} state @param {number} ply half-moves made in the position that is shown @param {number} now performance.now() */
  render(state, ply, now) {
    this.tick(state, ply, now);
    this.#ending.render(state);
    this.tabs.render(state);
    this.#list.render(state, ply);
  }

  /** Only the times have changed. @param {GameState} state @param {number} ply @param {number} now */
  tick(state, ply, now) {
    this.#line.render(state, ply, now, this.#isWaiting());
  }
}
