/**
 * Fairy-Stockfish from a page's side, asked and heard like the site's own engine, and how it is asked and answers in UCI. Loaded
 * only by who chose it. Knows no element.
 *
 * @import { Asked, Heard } from './engine_worker.js'
 * @import { Said } from './fairy_stockfish_host.js'
 * @import { Thought } from '../engine/thinking.js'
 */
import { trusted } from './engine_worker.js';

/** ms after which a browser that has not begun will not. */
const PATIENCE = 30_000;
const MOST_THREADS = 4;
/** MB for what it remembers of positions. */
const HASH = 32;
/** Of an infinite score, for the bar. */
const MATE_POINTS = 100_000;

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

/**
 * @param {string} line that it said @returns {Thought | null} null: it tells of no line, or of one that is not searched to its end
 */
export function readThought(line) {
  const words = line.split(' ');
  if (words[0] !== 'info' || words.includes('lowerbound') || words.includes('upperbound')) return null;
  const after = (/** @type {string} */ word) => words[words.indexOf(word) + 1];
  const pv = words.indexOf('pv');
  if (pv < 0 || !words.includes('score') || words.includes('string')) return null;
  const value = Number(words[words.indexOf('score') + 2]);
  const mate = after('score') === 'mate' ? value : null;
  return {
    depth: Number(after('depth')),
    deepest: Number(after('seldepth')),
    rank: Number(after('multipv')),
    score: mate === null ? value : (mate > 0 ? 1 : -1) * MATE_POINTS - mate,
    mate,
    nodes: Number(after('nodes')),
    time: Number(after('time')),
    line: words.slice(pv + 1),
  };
}

/** @param {string} line @returns {string | null | undefined} the move it settles on, null if there is none; undefined: it says something else */
export function readBest(line) {
  const [word, move = ''] = line.split(' ');
  if (word !== 'bestmove') return undefined;
  return move === '(none)' || move === '0000' || move === '' ? null : move;
}

/** What to say to have it think. @param {Asked} asked @returns {string[]} */
export function writeAsked({ fen, moves, chess960, limits, passed }) {
  const from = limits.threat ? `fen ${passed}` : `fen ${fen}${moves.length ? ` moves ${moves.join(' ')}` : ''}`;
  return [
    `setoption name UCI_Chess960 value ${chess960}`,
    `setoption name MultiPV value ${limits.lines ?? 1}`,
    `position ${from}`,
    goAs(limits),
  ];
}

/** @param {Asked['limits']} limits */
function goAs({ time, nodes, depth }) {
  const words = { movetime: time, nodes, depth };
  const said = Object.entries(words).filter(([, value]) => value !== undefined);
  return said.length ? `go ${said.map(([word, value]) => `${word} ${value}`).join(' ')}` : 'go infinite';
}
