/** How a report is made and kept: the last position first, the same for everybody, and never that of another game. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

const kept = new Map();
globalThis.localStorage = {
  getItem: key => kept.get(key) ?? null,
  setItem: (key, value) => kept.set(key, value),
  removeItem: key => kept.delete(key),
};
globalThis.location = { href: 'https://chess.example/', origin: 'https://chess.example' };
let told;
let say;
/** What the engine answers when it is told to think about so many moves. */
let answers;
globalThis.Worker = class {
  #moves = 0;
  constructor() {
    told = [];
    this.listeners = {};
    say = answer => this.listeners.message({ data: answer });
  }
  addEventListener(kind, listener) {
    this.listeners[kind] = listener;
  }
  postMessage(task) {
    told.push(task);
    if (task.do === 'position') this.#moves = task.moves.length;
    if (task.do === 'go') queueMicrotask(() => answers(this.#moves));
  }
  terminate() {}
};
const { ReportMaker } = await import('../../../static/js/report/report_maker.js');
const { EngineWorker } = await import('../../../static/js/explain/engine_worker.js');
const { keepReport, keptReport, nameOf } = await import('../../../static/js/report/game_report.js');
const maker = () =>
  new ReportMaker(heard => new EngineWorker('/static/dist/worker.js', { id: 'chess' }, heard), 40_000);

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const GAME = { start: START, chess960: false, moves: ['f2f3', 'e7e5', 'g2g4', 'd8h4'], result: '0-1' };
const thought = score => ({ depth: 2, rank: 1, score, mate: null, line: ['a2a3'] });

beforeEach(() => {
  kept.clear();
  answers = moves => {
    if (moves === 4) return say({ said: 'best', move: null });
    say({ said: 'thought', thought: thought(100 * (moves + 1)) });
    say({ said: 'best', move: 'a2a3' });
  };
});

test('each position has the same number of nodes, the last is looked at first, and scores are White’s', async () => {
  const made = maker();
  const progress = [];
  const found = await made.make(GAME, (done, all) => progress.push([done, all]));
  assert.deepEqual(
    found.map(({ score }) => score.points),
    [100, -200, 300, -400, -30_000],
  );
  assert.deepEqual(found.at(-1), { score: { points: -30_000, mate: 0 }, line: [] });
  const looked = told.filter(task => task.do === 'position').map(({ moves }) => moves.length);
  assert.deepEqual(looked, [0, 1, 2, 3, 4, 3, 2, 1, 0]);
  const limits = told.filter(task => task.do === 'go').map(task => JSON.stringify(task.limits));
  assert.deepEqual([...new Set(limits)], ['{"depth":2}', '{"nodes":40000}']);
  assert.deepEqual(progress.at(-1), [5, 5]);
  assert.equal(told[1].do, 'forget');
});

test('only a move that is not seen at first is asked how far it is ahead of the next one', async () => {
  /** What was to be thought about last. */
  const limits = () => told.findLast(task => task.do === 'go').limits;
  const line = (rank, score, move) => say({ said: 'thought', thought: { ...thought(score), rank, line: [move] } });
  answers = moves => {
    if (moves === 4) return say({ said: 'best', move: null });
    const { depth, lines } = limits();
    line(1, 300, depth && moves === 1 ? 'a7a6' : GAME.moves[moves]);
    if (lines) line(2, -300, 'a2a3');
    say({ said: 'best', move: 'a2a3' });
  };
  const found = await maker().make(GAME, () => {});
  assert.deepEqual(
    found.map(({ lead }) => lead !== undefined),
    [false, true, false, false, false],
  );
  assert.ok(found[1].lead > 0.4);
  assert.equal(told.filter(task => task.limits?.lines === 2).length, 1);
});

test('Black may begin, and a drawn end is even', async () => {
  const made = maker();
  const black = { ...GAME, start: START.replace(' w ', ' b '), result: '1/2-1/2' };
  const found = await made.make(black, () => {});
  assert.deepEqual(
    found.map(({ score }) => score.points),
    [-100, 200, -300, 400, 0],
  );
});

test('an engine that ends, by itself or because somebody goes, leaves no half report', async () => {
  for (const how of ['refused', 'ended']) {
    const made = maker();
    answers = () => (how === 'ended' ? made.end() : say({ said: 'refused', to: 'position', reason: 'no' }));
    await assert.rejects(
      made.make(GAME, () => {}),
      /engine/,
    );
  }
  const made = maker();
  made.end();
  await assert.rejects(made.judge(GAME, []), /ended/);
});

const keptOf = game => keptReport(nameOf('own', 'chess', game), game);
const positions = Array.from({ length: 5 }, (_, ply) => ({
  score: { points: ply, mate: null },
  line: Array.from({ length: 9 }, () => 'a2a3'),
}));

test('a report is kept for this very game', () => {
  keepReport(nameOf('own', 'chess', GAME), positions);
  assert.deepEqual(
    keptOf(GAME).map(({ score }) => score.points),
    [0, 1, 2, 3, 4],
  );
  assert.ok(keptOf(GAME).every(({ line }) => line.length === 6));
  for (const other of [nameOf('strong', 'chess', GAME), nameOf('own', 'crazyhouse', GAME)])
    assert.equal(keptReport(other, GAME), null);
  for (const change of [{ chess960: true }, { result: '*' }, { start: 'x' }, { moves: GAME.moves.slice(0, 3) }])
    assert.equal(keptOf({ ...GAME, ...change }), null, JSON.stringify(change));
});

test('the latest dozen is kept, each game once, and what is damaged is made anew', () => {
  const games = Array.from({ length: 14 }, (_, nth) => ({ ...GAME, start: `start ${nth}` }));
  for (const game of [...games, games[13]]) keepReport(nameOf('own', 'chess', game), positions);
  const known = games.map(game => keptOf(game) !== null);
  assert.deepEqual(known, [false, false, ...Array(12).fill(true)]);
  keepReport(nameOf('own', 'chess', GAME), positions.slice(1));
  assert.equal(keptOf(GAME), null);
  kept.set('reports', '[1, {"name": 2}, null]');
  assert.equal(keptOf(GAME), null);
});
