/**
 * Loaded by the page of a game only if the computer has the other seat: seats it there, and lets its opponent ask it for a
 * move and see what it thinks. Knows the elements for that, and nothing of the rest of the page.
 *
 * @import { Board } from '../../board/board.js'
 * @import { Variant } from '../../board/variant.js'
 * @import { Thought } from '../../engine/thinking.js'
 * @import { GameState } from '../../game/model.js'
 * @import { Command, Side } from '../../net/messages.js'
 *
 * @typedef {object} GamePage   what the page of the game lets it do
 * @property {string} engine   the address of the engine
 * @property {Variant} variant
 * @property {Board} board
 * @property {() => GameState} state
 * @property {{shown: number, goTo(ply: number): void}} replay   shown: half-moves made in the position that the board shows
 * @property {(command: Command) => number | null} send
 * @property {{remark(words: string): void}} notices   says something in the line of what is wrong or asked
 * @property {() => void} stuck   it cannot go on
 */
import { parseFen } from '../../board/position.js';
import { Dropped, Mind } from '../../computer/mind.js';
import { Opponent, placeOf } from '../../computer/opponent.js';
import { inOneTab } from '../../computer/one_tab.js';
import { thoughtWords } from '../../computer/words.js';
import { EngineWorker } from '../../explain/engine_worker.js';
import { computerSide, isMyTurn, turnOf } from '../../game/model.js';
import { writeMove } from '../../game/write_move.js';
import { requestJson } from '../../net/requests.js';
import { siteStorage } from '../../storage.js';
import { buttonById, byId, element, setText } from '../../ui/dom.js';
import { onKeys } from '../../ui/keys.js';
import { t } from '../../words.js';

/** Where this browser remembers whether what the computer thinks is shown. */
const SHOWN = 'computer-thinking';
/** Of the arrow that shows a move, in a square's 64 parts. */
const HINT_WIDTH = 12;
/** What it looks at to show its opponent a move: as well as it can within a moment. */
const HINT = { nodes: 30_000, time: 2_000 };

/** @param {GamePage} page @returns {Promise<{follow: () => void, refused: (id?: number) => void}>} the computer, at the board */
export async function sitDown(page) {
  const rules = await requestJson(`/api/variants/${page.variant.id}`);
  const mind = new Mind(heard => new EngineWorker(page.engine, rules, heard));
  const thoughts = new Thoughts(page);
  const hints = new Hints(page, mind);
  const { state, send, stuck } = page;
  const side = /** @type {Side} */ (computerSide(state()));
  const opponent = new Opponent(
    {
      mind,
      state,
      send,
      stuck,
      thought: thought => thoughts.had(thought),
      wait: ms => new Promise(resolve => setTimeout(resolve, ms)),
      now: () => performance.now(),
      random: Math.random,
    },
    state().seats[side].level ?? 1,
    side,
  );
  let thinksHere = false;
  inOneTab(`computer ${state().id}`, here => {
    thinksHere = here;
    if (here) opponent.follow();
  });
  const follow = () => {
    if (thinksHere) opponent.follow();
    hints.render();
    thoughts.render();
  };
  follow();
  return { follow, refused: id => opponent.refused(id) };
}

/** The button by which its opponent asks for a move, and the arrow that shows it. */
class Hints {
  #button = buttonById('show-move');
  #page;
  #mind;
  /** @type {{fen: string, uci: string} | null} */
  #shown = null;
  #thinking = false;
  #pointed = '';

  /** @param {GamePage} page @param {Mind} mind */
  constructor(page, mind) {
    this.#page = page;
    this.#mind = mind;
    this.#button.addEventListener('click', () => void this.#show());
    onKeys({ h: () => this.#button.click() });
  }

  render() {
    const { state, replay, board } = this.#page;
    const { fen, plies, ended } = state();
    this.#button.hidden = ended !== null;
    this.#button.disabled = !isMyTurn(state()) || this.#thinking;
    const uci = this.#shown?.fen === fen && replay.shown === plies.length ? this.#shown.uci : '';
    if (uci === this.#pointed) return;
    this.#pointed = uci;
    board.mark(uci ? [{ uci, color: turnOf(fen), kind: 'best', width: HINT_WIDTH }] : []);
  }

  async #show() {
    const { state, variant, notices, stuck, replay } = this.#page;
    const asked = state();
    this.#thinking = true;
    this.render();
    try {
      const [uci] = (await this.#mind.think(placeOf(asked), HINT)).line;
      const { fen, legal } = state();
      if (fen === asked.fen && legal?.includes(uci)) {
        this.#shown = { fen, uci };
        notices.remark(t('thoughts.try', { move: writeMove(uci, variant, parseFen(fen), legal) }));
      }
    } catch (error) {
      if (!(error instanceof Dropped)) stuck();
    }
    this.#thinking = false;
    replay.goTo(Infinity);
  }
}

/** What the computer thought before its last move, for whoever wants to know. */
class Thoughts {
  #page;
  #switch = element('show-thinking', HTMLInputElement);
  #line = byId('computer-thought');
  /** @type {Thought | null} */
  #last = null;
  /** How many half-moves had been made when it thought so. */
  #plies = 0;

  /** @param {GamePage} page */
  constructor(page) {
    this.#page = page;
    this.#switch.checked = siteStorage.get(SHOWN) === 'yes';
    this.#switch.addEventListener('change', () => {
      siteStorage.set(SHOWN, this.#switch.checked ? 'yes' : null);
      this.render();
    });
  }

  /** @param {Thought} thought */
  had(thought) {
    this.#last = thought;
    this.#plies = this.#page.state().plies.length;
  }

  render() {
    const { state, variant } = this.#page;
    const { plies, ended } = state();
    const last = plies.length === this.#plies + 1 && !ended ? this.#last : null;
    this.#line.hidden = !this.#switch.checked || !!ended;
    setText(this.#line, last ? thoughtWords(last, variant, state()) : t('thoughts.nothing_yet'));
  }
}
