/**
 * The panel beside the board: its tabs, the list of moves, the line that says whose turn it is, and the card at the end.
 * What is offered and asked stands there too, but is for the notices.
 *
 * @import { GameState } from '../../game/model.js'
 * @import { PlayerRating } from '../../net/wire.js'
 */
import { PanelTabs } from './panel_tabs.js';
import { halfMovesBefore, moveNumber } from '../../board/position.js';
import { opposite } from '../../board/variant.js';
import { formatCountdown, shortTime, timeToBegin } from '../../game/clock.js';
import { isMyTurn, turn } from '../../game/model.js';
import { personName, t } from '../../words.js';
import { buttonById, byId, create, element, revealIn, setText } from '../../ui/dom.js';
import { keepSeek, sameGame } from '../../game/seek_again.js';
import { endingReason, endingTitle } from '../words.js';
import { timeTaken } from '../../game/replay.js';

/**
 * How the game ended, for who looks at it, and the ways on: the result in two words, why, how the rating changed, a rematch,
 * somebody else, the analysis.
 */
class EndingCard {
  #card = byId('ending');
  #title = byId('ending-title');
  #words = byId('result');
  #change = byId('ending-change');
  #newOpponent = element('new-opponent', HTMLAnchorElement);
  /** @type {GameState | null} */
  #state = null;

  constructor() {
    this.#newOpponent.addEventListener('click', () => this.#seekAgain());
  }

  /** @param {GameState} state */
  render(state) {
    const { ended, you, ratings } = state;
    this.#state = state;
    const pressed = ended && this.#card.hidden && byId('controls').contains(document.activeElement);
    this.#card.hidden = !ended;
    setText(this.#words, endingReason(state));
    if (!ended) return;
    setText(this.#title, endingTitle(ended, you));
    const mine = you && ended.winner ? (ended.winner === you ? 'won' : 'lost') : '';
    this.#card.dataset.outcome = ended.result === '*' ? 'void' : mine;
    this.#newOpponent.hidden = you === null;
    this.#renderChange(you && ratings[you]);
    // Whoever resigned by a key: the button goes. Not to a button, which the key, held, would press.
    if (pressed) this.#title.focus();
  }

  /** The front page, to which the link leads, then seeks the same. Whose opponent never came waits again already; and after
   * a game against the computer the link leads to its levels. */
  #seekAgain() {
    const { variant } = this.#newOpponent.dataset;
    if (variant && this.#state?.ended && this.#state.ended.reason !== 'expired')
      keepSeek(sameGame(this.#state, variant));
  }

  /** "1684 → 1692 +8". @param {PlayerRating | null} rating */
  #renderChange(rating) {
    const change = rating?.change ?? null;
    this.#change.hidden = change === null;
    if (!rating || change === null || this.#change.hasChildNodes()) return;
    const moved = create('b', '', change < 0 ? `−${-change}` : change > 0 ? `+${change}` : '±0');
    if (change < 0) moved.dataset.lost = '';
    this.#change.append(t('ratings.change', { before: rating.rating, after: rating.rating + change }), ' ', moved);
  }
}

/**
 * The line above the controls: whose turn it is, in words; while one looks back, at what, and whether the opponent has moved
 * meanwhile. What is wrong, and what the piece under the pointer can do, stand in its place while there is something.
 */
class TurnLine {
  #line = byId('turn-line');
  #turn = byId('turn');
  #boardSays = byId('board-says');
  #moment = '';
  #toGame = buttonById('to-game');
  /** How many half-moves there were when the person began to look back. @type {number | null} */
  #since = null;

  /** @param {() => void} toGame back to the present position */
  constructor(toGame) {
    this.#toGame.addEventListener('click', toGame);
  }

  /**
   * @param {GameState} state @param {number} ply how many half-moves the board shows @param {number} now performance.now()
   * @param {{unconfirmed: boolean, unheard: boolean}} known unconfirmed: a move of the reader's is on the board and waits to be
   *   confirmed; unheard: nothing is heard of the game, so that the opponent may have moved
   */
  render(state, ply, now, { unconfirmed, unheard }) {
    // What was said about a piece does not outlast the next move, nor the game.
    const moment = `${state.plies.length} ${state.status}`;
    if (moment !== this.#moment) this.#boardSays.textContent = '';
    this.#moment = moment;
    const back = ply < state.plies.length && !state.ended;
    this.#since = back ? (this.#since ?? state.plies.length) : null;
    const moved = back && state.you !== null && state.plies.length > (this.#since ?? 0);
    this.#toGame.hidden = !back;
    this.#line.classList.toggle('yours', moved || (!back && isMyTurn(state)));
    setText(
      this.#turn,
      back ? lookingWords(state, ply, moved) : unconfirmed ? t('round.not_played_yet') : turnWords(state, now, unheard),
    );
  }
}

/** @param {GameState} state @param {number} ply @param {boolean} moved the opponent has moved meanwhile */
function lookingWords(state, ply, moved) {
  const at = ply
    ? t('round.looking_at', {
        move: `${moveNumber(ply - 1 + halfMovesBefore(state.startFen), true)} ${state.plies[ply - 1].san}`,
      })
    : t('round.looking_at_start');
  // What is cut off where there is little room can be read in the list of moves, too.
  return moved ? `${t('round.opponent_moved')} · ${at}` : at;
}

/** @param {GameState} state @param {number} now performance.now() @param {boolean} unheard @returns {string} '' once the game is over */
function turnWords(state, now, unheard) {
  const { you, seats, status } = state;
  if (state.ended) return '';
  const side = turn(state);
  const left = timeToBegin(state, now);
  const time = left === null ? '' : formatCountdown(left);
  if (status === 'adjourned') return t('round.clocks_rest');
  if (you === side && state.sent) return t('round.move_sent');
  if (you === side) return time ? t('round.your_turn_begin', { time }) : t('round.your_turn');
  if (unheard) return t('round.clock_doubtful');
  if (you && status === 'open' && !seats[opposite(you)].name) return t('round.waiting');
  if (you) return t('round.their_turn', { name: personName(seats[side].name ?? t('round.opponent')) });
  return t(side === 'white' ? 'round.white_moves' : 'round.black_moves');
}

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

  /** @param {GameState} state @param {number} ply half-moves made in the position that is shown @param {number} now performance.now()
   * @param {boolean} unheard nothing is heard of the game */
  render(state, ply, now, unheard) {
    this.tick(state, ply, now, unheard);
    this.#ending.render(state);
    this.tabs.render(state);
    this.#list.render(state, ply);
  }

  /** Only the times have changed. @param {GameState} state @param {number} ply @param {number} now @param {boolean} unheard */
  tick(state, ply, now, unheard) {
    this.#line.render(state, ply, now, { unconfirmed: this.#isWaiting(), unheard });
  }
}

/** The list of moves, with the buttons that step through it. Reports which half-move is wanted, and decides nothing. */
class MoveList {
  #list = byId('move-list');
  #steps = { prev: buttonById('nav-prev'), next: buttonById('nav-next') };
  /** @type {string[]} SANs in the list */
  #shown = [];

  /** @param {(ply: number) => void} goTo @param {(by: number) => void} step */
  constructor(goTo, step) {
    this.#steps.prev.addEventListener('click', () => step(-1));
    this.#steps.next.addEventListener('click', () => step(1));
    // Notices that appear or vanish resize the list, and the engine's place pushes it down; the shown move stays in sight.
    const resized = new ResizeObserver(() => this.#revealCurrent());
    for (const each of [...this.#views, byId('engine')]) resized.observe(each);
    this.#list.addEventListener('click', event => {
      const button = event.target instanceof Element ? event.target.closest('button') : null;
      if (button) goTo(Number(button.dataset.ply));
    });
  }

  /** @param {GameState} state @param {number} ply how many half-moves the board shows */
  render(state, ply) {
    this.#renderMoves(state);
    for (const button of this.#list.querySelectorAll('button')) {
      const current = Number(button.dataset.ply) === ply;
      if (current === button.hasAttribute('aria-current')) continue;
      if (current) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
      if (current) this.#reveal(button);
    }
    const last = state.plies.length;
    this.#steps.prev.disabled = ply === 0;
    this.#steps.next.disabled = ply === last;
  }

  /** @param {GameState} state */
  #renderMoves(state) {
    const sans = state.plies.map(({ san }) => san);
    let same = 0;
    while (same < sans.length && sans[same] === this.#shown[same]) same++;
    while (this.#list.children.length > same) this.#list.lastElementChild?.remove();
    const before = halfMovesBefore(state.startFen);
    for (let ply = same; ply < sans.length; ply++) {
      const button = Object.assign(create('button', '', sans[ply]), { type: 'button' });
      button.dataset.ply = String(ply + 1);
      const item = create('li', 'ply', button);
      const taken = timeTaken(state, ply);
      if (taken !== null) item.append(Object.assign(create('small', '', shortTime(taken)), { ariaHidden: 'true' }));
      const half = ply + before;
      if (half % 2 === 0) item.dataset.no = String(half / 2 + 1);
      else if (ply === 0) item.dataset.lone = '';
      this.#list.append(item);
    }
    this.#shown = sans;
  }

  #revealCurrent() {
    const current = /** @type {HTMLElement | null} */ (this.#list.querySelector('[aria-current]'));
    if (current) this.#reveal(current);
  }

  /** @param {HTMLElement} button */
  #reveal(button) {
    for (const view of this.#views) revealIn(view, button);
  }

  /** What scrolls: the list, and where it has too little room what is around it. */
  get #views() {
    return [this.#list, ...[this.#list.parentElement, byId('moves')].filter(each => each !== null)];
  }
}
