/**
 * The panel for conditional moves: while the opponent of a correspondence game is to move, this person enters on the board what
 * they may play, and the answers. Nothing is sent before it is saved; what is not, is kept in this browser. When the game goes
 * on meanwhile, what was entered goes, but for the answer to the move that was played: that one is suggested. Knows no socket.
 *
 * @import { View } from '../../board/board.js'
 * @import { GameState } from '../../game/model.js'
 * @import { Node, Tree } from '../../game/tree.js'
 * @import { GameOutbound } from '../../net/wire.js'
 * @import { ConditionalOptions } from './conditional_moves.js'
 */
import { lastMoveSquares } from '../../board/position.js';
import { answerTo, answered, canPrepare, lineText, linesOf, withMove, withoutLine } from '../../game/conditional.js';
import { Judge } from '../../game/judge.js';
import { turnOf } from '../../game/model.js';
import { speakSan } from '../../game/san.js';
import { ROOT, childByUci, deleteFrom, newTree, nodeAt, stepsOf, treeFromSteps } from '../../game/tree.js';
import { RequestFailed } from '../../net/requests.js';
import { buttonById, byId, create, createButton, revealIn, setText } from '../../ui/dom.js';
import { t } from '../../words.js';
import { conditionalDraft, keepConditionalDraft } from './conditional_moves.js';

export class ConditionalEntry {
  #options;
  #judge;
  /** @type {Tree | null} what is being entered; null: the panel is closed */
  #tree = null;
  #at = ROOT;
  /** @type {string | null} UCI: a move that the server has not judged yet */
  #sent = null;
  /** @type {number | null} the request to save */
  #saving = null;
  /** @type {Tree | null} */
  #drawn = null;
  #problem = '';
  #changed = false;
  #leaves = false;
  #panel = byId('conditional');
  #lines = byId('conditional-lines');
  /** The field for typed moves, and where it stands while the panel is closed. */
  #typed = byId('move-entry');
  #moves = byId('moves');

  /** @param {ConditionalOptions} options */
  constructor(options) {
    this.#options = options;
    this.#judge = new Judge(options.variant.id);
    byId('conditional-back').addEventListener('click', () => this.#takeBack());
    byId('conditional-start').addEventListener('click', () => this.#show(ROOT));
    byId('conditional-save').addEventListener('click', () => this.#save());
    byId('conditional-close').addEventListener('click', () => this.#close());
  }

  /** Whether closing the panel would lose what was entered. */
  get isUnsaved() {
    return this.#tree !== null && this.#changed;
  }

  get isOpen() {
    return this.#tree !== null;
  }

  /** @returns {string[] | null} what may be entered in the shown position; null: not known yet, or the panel is closed */
  get legal() {
    if (!this.#tree || this.#sent) return null;
    return this.#judge.known(this.#options.state().chess960, nodeAt(this.#tree, this.#at).fen)?.legal ?? null;
  }

  /** @returns {View | null} what the board shows; null: the panel is closed */
  get view() {
    if (!this.#tree) return null;
    const { fen, check, uci } = nodeAt(this.#tree, this.#at);
    const { plies } = this.#options.state();
    const last = this.#sent ?? (uci || plies.at(-1)?.uci);
    const legal = this.legal;
    return { fen, check, legal, lastMove: lastMoveSquares(last), sent: this.#sent, side: legal ? turnOf(fen) : null };
  }

  /** Enters a legal move of either side. @param {string} uci */
  async make(uci) {
    const [tree, at] = [this.#tree, this.#at];
    if (!tree) return;
    const known = childByUci(tree, at, uci);
    if (known !== null) return this.#go(known);
    this.#sent = uci;
    this.#options.changed();
    const line = await this.#ask([uci]);
    this.#sent = null;
    if (line && this.#tree === tree) {
      const grown = withMove(tree, at, line.plies[0], this.#options.state().you);
      this.#changed = true;
      this.#tree = grown.tree;
      this.#go(grown.at);
    } else this.#options.changed();
  }

  /** @param {number} by half-moves forth or back */
  step(by) {
    if (!this.#tree) return;
    const { parent, children } = nodeAt(this.#tree, this.#at);
    this.#go(by < 0 ? (by === -1 ? parent : ROOT) : (children[0] ?? this.#at));
  }

  /** @param {GameOutbound} message */
  happened(message) {
    if (message.t === 'error' && message.id === this.#saving) this.#saving = null;
    if (message.t !== 'ok' || message.id !== this.#saving) return;
    this.#options.say(t('conditional.saved'));
    this.#changed = false;
    this.#close();
  }

  /** @param {GameState} state */
  render(state) {
    if (this.#tree && (!canPrepare(state) || nodeAt(this.#tree, ROOT).fen !== state.fen)) {
      const lost = this.isUnsaved ? this.#tree : null;
      this.#forget();
      if (lost) this.#overtaken(lost, state);
    }
    if (this.#panel.hidden === this.isOpen) this.#turnOver();
    byId('board').setAttribute('aria-busy', String(this.isOpen && !this.legal));
    if (this.#tree) this.#renderPanel(this.#tree, state);
  }

  /** Shows the panel, or puts it away; the field for typed moves goes along, and stays under the hand that is writing. */
  #turnOver() {
    const focused = this.#typed.contains(document.activeElement) ? document.activeElement : null;
    this.#panel.hidden = !this.isOpen;
    (this.isOpen ? byId('conditional-field') : this.#moves).append(this.#typed);
    if (focused instanceof HTMLElement) focused.focus();
  }

  /** The game has gone on over lines that were not saved. @param {Tree} tree @param {GameState} state */
  #overtaken(tree, { plies }) {
    const { uci = '', san: move = '' } = plies.at(-1) ?? {};
    const answer = answerTo(tree, uci);
    const words = answer !== null && this.#options.suggest(answer) ? 'conditional.prepared' : 'conditional.moved_on';
    this.#options.remark(t(words, { move }));
    this.#options.say(t(words, { move }));
  }

  /** @param {Tree} tree @param {GameState} state */
  #renderPanel(tree, { you }) {
    const mine = turnOf(nodeAt(tree, this.#at).fen) === you;
    setText(byId('conditional-now'), this.#problem || t(mine ? 'conditional.enter_answer' : 'conditional.enter_move'));
    buttonById('conditional-back').disabled = buttonById('conditional-start').disabled = this.#at === ROOT;
    const lines = linesOf(tree);
    if (tree !== this.#drawn) this.#lines.replaceChildren(...lines.map(line => this.#lineElement(tree, line)));
    this.#drawn = tree;
    for (const [nth, item] of [...this.#lines.children].entries()) {
      const isShown = lines[nth].some(({ id }) => id === this.#at);
      if (isShown) item.setAttribute('aria-current', 'true');
      else item.removeAttribute('aria-current');
      if (isShown && lines[nth].at(-1)?.id === this.#at)
        revealIn(/** @type {HTMLElement} */ (this.#lines.parentElement), /** @type {HTMLElement} */ (item));
    }
  }

  /** @param {Tree} tree @param {Node[]} line */
  #lineElement(tree, line) {
    const words = lineText(tree, line);
    const end = line[line.length - 1];
    const remove = createButton('icon-button', () => this.#remove(line), '×');
    remove.setAttribute('aria-label', t('conditional.remove', { line: words }));
    const go = createButton('conditional-go', () => this.#show(end.id), words);
    return create('li', 'conditional-line', go, remove);
  }

  /** Begins with what was entered before the page was left, or else with what is saved. */
  async open() {
    const state = this.#options.state();
    const empty = newTree(state.fen, state.check);
    this.#tree = empty;
    this.#show(ROOT);
    byId('board').focus();
    const draft = conditionalDraft(state);
    const steps = draft ?? state.conditional;
    const line = steps.length ? await this.#ask(steps) : null;
    if (this.#tree !== empty) return;
    if (draft?.length && !line) return this.#stayKept();
    if (line) this.#tree = treeFromSteps(empty, steps, line.plies).tree;
    if (!draft && !line) return;
    this.#changed = draft !== null;
    this.#go(ROOT);
    if (!draft) return;
    this.#problem = t('conditional.kept');
    this.#options.say(this.#problem);
    this.#options.changed();
  }

  /** What is kept cannot be shown now; it stays for the next time. */
  #stayKept() {
    this.#options.remark(this.#problem);
    this.#tree = this.#drawn = null;
    this.#problem = '';
    this.#options.changed();
  }

  /** Puts it on the board, also if that shows an earlier move of the game. @param {number} id */
  #show(id) {
    this.#options.toPresent();
    this.#go(id);
  }

  /** @param {number} id */
  #go(id) {
    if (!this.#tree) return;
    const { san } = nodeAt(this.#tree, id);
    this.#at = id;
    this.#problem = '';
    this.#leaves = false;
    if (this.#changed) keepConditionalDraft(this.#options.state(), stepsOf(this.#tree));
    if (san) this.#options.say(speakSan(this.#options.variant, san));
    this.#options.changed();
    void this.#learn();
  }

  /** Asks what is legal in the shown position, unless that is known. */
  async #learn() {
    if (this.legal || this.#sent || !this.#tree) return;
    await this.#ask([]);
    this.#options.changed();
  }

  /** @param {(string | number)[]} steps from the shown position */
  async #ask(steps) {
    if (!this.#tree) return null;
    const { fen } = nodeAt(this.#tree, this.#at);
    try {
      return await this.#judge.line({ fen, chess960: this.#options.state().chess960, steps });
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      this.#problem = error.message;
      return null;
    }
  }

  #takeBack() {
    if (!this.#tree || this.#at === ROOT) return;
    const { children, parent } = nodeAt(this.#tree, this.#at);
    if (!children.length) this.#tree = deleteFrom(this.#tree, this.#at).tree;
    this.#go(parent);
  }

  /** @param {Node[]} line */
  #remove(line) {
    if (!this.#tree) return;
    this.#tree = withoutLine(this.#tree, line);
    this.#changed = true;
    this.#options.say(t('conditional.removed'));
    this.#go(this.#tree.nodes.has(this.#at) ? this.#at : ROOT);
    byId('conditional-save').focus();
  }

  #save() {
    const { plies, you } = this.#options.state();
    if (!this.#tree) return;
    const steps = stepsOf(answered(this.#tree, you));
    this.#saving = this.#options.send({ t: 'conditional', ply: plies.length, steps });
  }

  #close() {
    if (this.isUnsaved && !this.#leaves) {
      this.#leaves = true;
      this.#problem = t('conditional.unsaved');
      this.#options.say(this.#problem);
      return this.#options.changed();
    }
    this.#forget();
    this.#options.changed();
    byId('conditional-open').focus();
  }

  #forget() {
    keepConditionalDraft(this.#options.state(), null);
    this.#tree = this.#drawn = this.#sent = this.#saving = null;
    this.#problem = '';
    this.#changed = this.#leaves = false;
  }
}
