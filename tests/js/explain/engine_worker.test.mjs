/** The engine from a page's side: only what it says of the last position is passed on. Its worker is a stub that the test speaks for. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

let told;
let say;

globalThis.location = { href: 'https://chess.example/analysis/chess', origin: 'https://chess.example' };
globalThis.navigator ??= { hardwareConcurrency: 2 };
globalThis.Worker = class {
  constructor(address) {
    this.address = address;
    told = [];
    this.listeners = {};
    say = (answer, kind = 'message') => this.listeners[kind]({ data: answer });
  }
  addEventListener(kind, listener) {
    this.listeners[kind] = listener;
  }
  postMessage(task) {
    told.push(task);
  }
  terminate() {
    told.push('terminated');
  }
};
const { EngineWorker, trusted } = await import('../../../static/js/explain/engine_worker.js');
const { StrongEngine } = await import('../../../static/js/explain/strong_engine.js');

const ASKED = { fen: 'FEN', moves: ['e2e4'], chess960: false, limits: { depth: 3 } };
const THOUGHT = { said: 'thought', thought: { depth: 1, rank: 1 } };
let heard;

beforeEach(() => (heard = []));
const ear = {
  thought: thought => heard.push(['thought', thought]),
  done: best => heard.push(['done', best]),
  refused: reason => heard.push(['refused', reason]),
  failed: () => heard.push(['failed']),
};
const kinds = () => heard.map(([kind]) => kind);

test('it is told of the variant, the position and the limits, and passes on what it thinks', () => {
  const engine = new EngineWorker('/static/dist/worker.js', { id: 'chess' }, ear);
  engine.stop();
  engine.think(ASKED);
  assert.deepEqual(
    told.map(task => task.do),
    ['variant', 'position', 'go'],
  );
  say(THOUGHT);
  say({ said: 'best', move: 'e7e5' });
  assert.deepEqual(heard, [
    ['thought', THOUGHT.thought],
    ['done', 'e7e5'],
  ]);
  engine.stop();
  assert.equal(told.length, 3);
});

test('what it still says of the position before is not passed on', () => {
  const engine = new EngineWorker('/static/dist/worker.js', { id: 'chess' }, ear);
  engine.think(ASKED);
  engine.think({ ...ASKED, moves: [] });
  assert.deepEqual(
    told.map(task => task.do),
    ['variant', 'position', 'go', 'stop', 'position', 'go'],
  );
  say(THOUGHT);
  say({ said: 'refused', to: 'position', reason: 'no' });
  say({ said: 'best', move: 'e7e5' });
  assert.deepEqual(heard, []);
  say(THOUGHT);
  say({ said: 'best', move: 'd7d5' });
  assert.deepEqual(heard.at(-1), ['done', 'd7d5']);
  assert.deepEqual(kinds(), ['thought', 'done']);
});

test('a position that is refused is told, and the next one is heard again', () => {
  const engine = new EngineWorker('/static/dist/worker.js', { id: 'chess' }, ear);
  engine.think(ASKED);
  say({ said: 'refused', to: 'go', reason: 'in check' });
  engine.think(ASKED);
  say(THOUGHT);
  assert.deepEqual(kinds(), ['refused', 'thought']);
  say(null, 'error');
  engine.end();
  assert.deepEqual([heard.at(-1), told.at(-1)], [['failed'], 'terminated']);
});

test('only files of the site become workers', () => {
  assert.equal(trusted('/static/dist/worker.js'), '/static/dist/worker.js');
  for (const address of ['https://evil.example/static/worker.js', '/analysis/chess', 'data:text/javascript,1'])
    assert.throws(() => trusted(address), /is no file of the site/);
});

test('Fairy-Stockfish is heard like the site’s own engine, and asked nothing about who is in check', () => {
  const files = ['host', 'script', 'worker', 'wasm'].map(name => `/static/dist/${name}.js`);
  const engine = new StrongEngine(files, { name: 'our-chess', ini: 'INI' }, ear);
  assert.deepEqual(told[0].load, { script: files[1], worker: files[2], wasm: files[3], ini: 'INI' });
  assert.equal(told[1], 'setoption name UCI_Variant value our-chess');
  say('readyok');
  engine.think({ ...ASKED, limits: { threat: true }, passed: null });
  assert.deepEqual(heard, [['refused', 'in check']]);
  const line = score => `info depth 3 seldepth 4 multipv 1 score cp ${score} nodes 9 nps 9 time 1 pv e7e5`;
  engine.think(ASKED);
  engine.think({ ...ASKED, moves: [] });
  assert.ok(told.includes('stop'));
  say(line(10));
  say('bestmove e7e5');
  say(line(20));
  say('bestmove d7d5');
  assert.deepEqual(
    heard.slice(1).map(([kind, what]) => [kind, what.score ?? what]),
    [
      ['thought', 20],
      ['done', 'd7d5'],
    ],
  );
  say({ failed: 'no memory' });
  assert.deepEqual(heard.at(-1), ['failed']);
  engine.end();
});
