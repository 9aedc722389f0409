/**
 * Loaded by the page of a game only if the computer has the other seat: seats it there, and lets its opponent ask it for a
 * move and see what it thinks. Knows the elements for that, and nothing of the rest of the page.
 *
 * @import { Board } from '../../board/board.js'
 * @import { Variant } from '../../board/variant.js'
 * @import { Thought } from '../../engine/thinking.js'
 * @import { GameState } from '../../game/model.js'
 * @import { Command, Side } from '../../net/messages.js'
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
import { EngineWorker } from '../../explain/engine_worker.js';
import { computerSide, isMyTurn, turnOf } from '../../game/model.js';
import { writeMove } from '../../game/write_move.js';
import { requestJson } from '../../net/requests.js';
import { siteStorage } from '../../storage.js';
import { buttonById, byId, element, setText } from '../../ui/dom.js';
import { onKeys } from '../../ui/keys.js';
import { t } from '../../words.js';
import { writeScore } from '../../explain/scores.js';

// Of several tabs of one game only one does the computer's thinking: the one that is looked at, or was last. Where the
// browser has no locks, as on a site without https, each tab thinks; the server takes the first move.

/**
 * @param {string} name of what only one tab does
 * @param {(here: boolean) => void} told whether that is this tab, now and whenever it changes
 * @param {LockManager | undefined} locks @param {Document} page
 */
export function inOneTab(name, told, locks = navigator.locks, page = document) {
  if (!locks) return told(true);
  let here = false;
  let waiting = new AbortController();

  /** @param {boolean} now */
  const tell = now => {
    here = now;
    told(now);
  };
  /** @param {LockOptions} how */
  const ask = async how => {
    try {
      await locks.request(name, how, () => {
        tell(true);
        return new Promise(() => {});
      });
    } catch {
      // Another tab is looked at now; or this one has asked anew.
      if (how.signal?.aborted) return;
      tell(false);
      wait();
    }
  };
  const wait = () => {
    waiting = new AbortController();
    void ask({ signal: waiting.signal });
  };
  const take = () => {
    if (page.hidden || here) return;
    waiting.abort();
    void ask({ steal: true });
  };
  page.addEventListener('visibilitychange', take);
  if (page.hidden) wait();
  else take();
}

// What the computer thought, in words. Pure.

/**
 * @param {Thought} thought for the computer, before the move that it has just made @param {Variant} variant
 * @param {GameState} state with that move: its opponent is to move
 */
function thoughtWords({ depth, score, mate, line }, variant, { fen, legal }) {
  const how = mate === null ? t('thoughts.score', { score: writeScore({ points: score, mate }) }) : mateWords(mate);
  const seen = t('thoughts.thought', { n: depth, score: how });
  const expected = line[1];
  if (!expected || !legal?.includes(expected)) return seen;
  return `${seen} ${t('thoughts.expects', { move: writeMove(expected, variant, parseFen(fen), legal) })}`;
}

/** @param {number} mate in how many moves */
const mateWords = mate => t(mate > 0 ? 'thoughts.mates' : 'thoughts.mated', { n: Math.abs(mate) });

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
