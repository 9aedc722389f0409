/**
 * Going through a game: step by step, by itself at a chosen pace, and from an address that names a half-move. Knows which
 * half-move is shown, and has the bar with the buttons to play and share. The game goes on meanwhile; once it is over, the
 * engine can be asked about what is shown.
 *
 * @import { Host } from '../explain/explainer.js'
 * @import { GameState } from '../game/model.js'
 * @import { Pace } from '../game/replay.js'
 */
import { EnginePlace } from '../explain/engine_place.js';
import { Navigation, fenAt } from '../game/navigation.js';
import { canKeepPace, delayBefore, plyFromHash } from '../game/replay.js';
import { request } from '../net/requests.js';
import { t } from '../words.js';
import { buttonById, byId, element, setText } from '../ui/dom.js';
import { ShareDialog } from '../ui/share.js';

export class Replay {
  #state;
  #changed;
  #navigation = new Navigation();
  #share = new ShareDialog();
  #bar = byId('replay');
  #play = buttonById('replay-play');
  #pace = element('replay-pace', HTMLSelectElement);
  #analyse = element('replay-analyse', HTMLAnchorElement);
  #engine;
  #bottom;
  /** @type {ReturnType<typeof setTimeout> | undefined} set while the game plays by itself */
  #timer;

  /** @param {() => GameState} state @param {() => void} changed called when another half-move is shown @param {Pick<Host, 'variant' | 'bottom' | 'mark'>} board */
  constructor(state, changed, board) {
    this.#state = state;
    this.#changed = changed;
    this.#bottom = board.bottom;
    const over = { state, shown: () => this.shown, goTo: (/** @type {number} */ ply) => this.goTo(ply) };
    this.#engine = new EnginePlace({ ...board, shown: () => this.#position(), play: null, over });
    this.#play.addEventListener('click', () => this.toggle());
    this.#pace.addEventListener('change', () => this.#timer !== undefined && this.#wait());
    byId('replay-share').addEventListener('click', () => void this.#open());
    addEventListener('hashchange', () => this.#openAt() && changed());
    this.#openAt();
  }

  /** @returns {number} how many half-moves the board shows */
  get shown() {
    return this.#navigation.shown(this.#state());
  }

  #position() {
    const { startFen, plies, chess960 } = this.#state();
    const moves = plies.slice(0, this.shown).map(({ uci }) => uci);
    const fens = () => [startFen, ...plies.slice(0, this.shown).flatMap(({ fen }) => fen ?? [])];
    return { start: startFen, moves, chess960, fen: fenAt(this.#state(), this.shown) ?? startFen, fens };
  }

  /** Back to the present position. */
  leave() {
    this.#stop();
    this.#navigation.ply = null;
  }

  /** @param {number} by half-moves; infinite: to the start or the end */
  step(by) {
    this.goTo(this.shown + by);
  }

  /** @param {number} ply */
  goTo(ply) {
    this.#stop();
    this.#navigation.goTo(this.#state(), ply);
    this.#changed();
  }

  /** Starts playing by itself, from the beginning if the end is shown; or stops. */
  toggle() {
    if (this.#bar.hidden || this.#play.disabled) return;
    if (this.#timer !== undefined) this.#stop();
    else {
      if (this.shown === this.#state().plies.length) this.#navigation.goTo(this.#state(), 0);
      this.#wait();
    }
    this.#changed();
  }

  /** @param {GameState} state */
  render(state) {
    // A position that is not known yet is on its way.
    if (fenAt(state, this.shown) !== null) this.#engine.render(state.ended !== null && state.plies.length > 0);
    // A watcher finds its place kept from the beginning, so that nothing moves at the first move.
    this.#bar.hidden = state.you !== null && !state.ended;
    this.#play.disabled = !state.plies.length;
    if (this.#bar.hidden) return;
    for (const option of this.#pace.options)
      option.disabled = Number.isNaN(Number(option.value)) && !canKeepPace(state);
    const playing = this.#timer !== undefined;
    this.#play.classList.toggle('playing', playing);
    const label = this.#play.querySelector('span');
    if (label) setText(label, t(playing ? 'buttons.pause' : 'replay.play'));
    this.#analyse.search = `?game=${state.id}${this.#bottom() === 'black' ? '&side=black' : ''}`;
    this.#analyse.hash = `p${this.shown}`;
  }

  #wait() {
    clearTimeout(this.#timer);
    const chosen = this.#pace.value;
    const pace = /** @type {Pace} */ (Number(chosen) || chosen);
    this.#timer = setTimeout(() => this.#next(), delayBefore(this.#state(), this.shown, pace));
  }

  #next() {
    this.#navigation.goTo(this.#state(), this.shown + 1);
    if (this.shown === this.#state().plies.length) this.#stop();
    else this.#wait();
    this.#changed();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** @returns {boolean} whether the address names a half-move; an invitation's secret is longer */
  #openAt() {
    const ply = plyFromHash(location.hash.slice(1));
    if (ply !== null) this.#navigation.goTo(this.#state(), ply);
    return ply !== null;
  }

  async #open() {
    const state = this.#state();
    const ply = this.shown;
    const pgn = request(`/api/games/${state.id}.pgn?ply=${ply}`).then(answer => {
      if (!answer?.ok) throw new Error('no PGN');
      return answer.text();
    });
    this.#stop();
    this.#changed();
    await this.#share.open({ link: `${location.origin}/${state.id}#p${ply}`, fen: fenAt(state, ply) ?? '', pgn });
  }
}
