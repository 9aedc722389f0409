/**
 * The way to the conditional moves of a correspondence game: the button that opens their panel, and the lines that are
 * entered but not saved, which this browser keeps when the page is left. The panel is loaded when it is opened, as most games
 * are live and have none. Knows nothing of what is entered there.
 *
 * @import { View } from '../../board/board.js'
 * @import { Variant } from '../../board/variant.js'
 * @import { GameState } from '../../game/model.js'
 * @import { Command } from '../../net/messages.js'
 * @import { GameOutbound } from '../../net/wire.js'
 * @import { Steps } from '../../game/tree.js'
 *
 * @typedef {object} ConditionalOptions   what the page of the game lets the panel do
 * @property {Variant} variant
 * @property {() => GameState} state
 * @property {(command: Command) => number | null} send
 * @property {() => void} toPresent   leaves the earlier move that the board may show, and puts down what is held
 * @property {() => void} changed
 * @property {(uci: string) => boolean} suggest   asks whether to play a prepared answer; false: it cannot be played
 * @property {(text: string) => void} remark
 * @property {(text: string) => void} say
 */
import { canPrepare, countLines } from '../../game/conditional.js';
import { siteStorage } from '../../storage.js';
import { buttonById, loadStyle, setText } from '../../ui/dom.js';
import { t } from '../../words.js';

/** Whoever shares a browser with the opponent is not shown the other's lines. @param {GameState} state */
const draftKey = ({ id, you }) => `conditional:${id}:${you}`;

/** The lines that were entered for the present position and not saved; null: none. @param {GameState} state @returns {Steps | null} */
export function conditionalDraft(state) {
  const kept = siteStorage.json(draftKey(state));
  if (kept?.fen === state.fen && Array.isArray(kept.steps)) return kept.steps;
  if (kept) keepConditionalDraft(state, null);
  return null;
}

/** @param {GameState} state @param {Steps | null} steps null: forgets them */
export function keepConditionalDraft(state, steps) {
  siteStorage.set(draftKey(state), steps && JSON.stringify({ fen: state.fen, steps }));
}

export class ConditionalMoves {
  #options;
  /** @type {import('./conditional_entry.js').ConditionalEntry | null} null: not loaded yet */
  #entry = null;
  #opener = buttonById('conditional-open');

  /** @param {ConditionalOptions} options */
  constructor(options) {
    this.#options = options;
    this.#opener.addEventListener('click', () => void this.#open());
  }

  async #open() {
    const { script = '', style = '', failed = '' } = this.#opener.dataset;
    try {
      /** @type {[typeof import('./conditional_entry.js'), unknown]} */
      const [{ ConditionalEntry }] = await Promise.all([import(script), loadStyle(style)]);
      this.#entry ??= new ConditionalEntry(this.#options);
    } catch {
      return this.#options.remark(failed);
    }
    if (canPrepare(this.#options.state())) void this.#entry.open();
  }

  /** Whether closing the panel would lose what was entered. */
  get isUnsaved() {
    return !!this.#entry?.isUnsaved;
  }

  get isOpen() {
    return !!this.#entry?.isOpen;
  }

  /** @returns {string[] | null} what may be entered in the shown position; null: not known yet, or the panel is closed */
  get legal() {
    return this.#entry?.legal ?? null;
  }

  /** @returns {View | null} what the board shows; null: the panel is closed */
  get view() {
    return this.#entry?.view ?? null;
  }

  /** Enters a legal move of either side. @param {string} uci */
  make(uci) {
    void this.#entry?.make(uci);
  }

  /** @param {number} by half-moves forth or back */
  step(by) {
    this.#entry?.step(by);
  }

  /** @param {GameOutbound} message */
  happened(message) {
    this.#entry?.happened(message);
  }

  /** @param {GameState} state */
  render(state) {
    this.#entry?.render(state);
    const lines = countLines(state.conditional);
    this.#opener.hidden = this.isOpen || !canPrepare(state);
    const saved = lines ? t('conditional.lines', { n: lines }) : t('conditional.title');
    setText(this.#opener, !this.#opener.hidden && conditionalDraft(state) ? t('conditional.draft') : saved);
  }
}
