/**
 * Fairy-Stockfish from a page's side, asked and heard like the site's own engine. Loaded only by who chose it. Knows no element.
 *
 * @import { Asked, Heard } from './engine_worker.js'
 * @import { Said } from './fairy_stockfish_host.js'
 */
import { trusted } from './engine_worker.js';
import { readBest, readThought, writeAsked } from './strong_uci.js';

/** ms after which a browser that has not begun will not. */
const PATIENCE = 30_000;
const MOST_THREADS = 4;
/** MB for what it remembers of positions. */
const HASH = 32;

/** As many as leave one to the page. */
const usualThreads = () => Math.max(1, Math.min(MOST_THREADS, navigator.hardwareConcurrency - 1));

export class StrongEngine {
  #worker;
  #heard;
  /** Searches that have not ended. */
  #running = 0;
  #watchdog;

  /**
   * @param {string[]} files addresses: of the worker, then of the package's script, its workers' script and its WebAssembly
   * @param {{name: string, ini: string}} variant @param {Heard} heard
   * @param {number} [threads] with one it always says the same of the same nodes
   */
  constructor([host, script, worker, wasm], { name, ini }, heard, threads = usualThreads()) {
    this.#heard = heard;
    this.#watchdog = setTimeout(() => this.#heard.failed(), PATIENCE);
    this.#worker = new Worker(trusted(host));
    this.#worker.addEventListener('message', ({ data }) => this.#hear(data));
    this.#worker.addEventListener('error', () => heard.failed());
    this.#worker.postMessage({ load: { script, worker, wasm, ini } });
    for (const line of [
      `setoption name UCI_Variant value ${name}`,
      `setoption name Threads value ${threads}`,
      `setoption name Hash value ${HASH}`,
      'isready',
    ])
      this.#worker.postMessage(line);
  }

  /** Thinks about this and nothing else. @param {Asked} asked */
  think(asked) {
    this.stop();
    if (asked.limits.threat && !asked.passed) return this.#heard.refused('in check');
    this.#running++;
    for (const line of writeAsked(asked)) this.#worker.postMessage(line);
  }

  /** Forgets what it knows, so that what it says next depends on nothing before. */
  forget() {
    this.#worker.postMessage('ucinewgame');
  }

  stop() {
    if (this.#running) this.#worker.postMessage('stop');
  }

  /** For good. */
  end() {
    clearTimeout(this.#watchdog);
    this.#worker.terminate();
  }

  /** @param {Said} said */
  #hear(said) {
    if (typeof said !== 'string') return this.#heard.failed();
    if (said === 'readyok') return clearTimeout(this.#watchdog);
    const last = this.#running === 1;
    const thought = last ? readThought(said) : null;
    if (thought) this.#heard.thought(thought);
    const best = readBest(said);
    if (best === undefined) return;
    this.#running--;
    if (last) this.#heard.done(best);
  }
}
