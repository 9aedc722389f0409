/** The socket of a page: greeting and pings, what waits and what is refused, and connecting again. */
import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { Socket } from '../../../static/js/net/socket.js';

/** A line over a server that does what the test says, in time that passes when the test says. */
class Scene {
  sockets = [];
  heard = [];
  states = [];
  reloads = 0;
  notSent = 0;
  asked = 0;
  /** Why the server has no place, if it has none. */
  noPlace = null;
  now = 0;

  constructor() {
    this.line = new Socket({
      url: 'ws://x/ws',
      greeting: () => ({ t: 'hi' }),
      onMessage: message => this.heard.push(message),
      onState: state => this.states.push(state),
      reload: () => ++this.reloads === 1,
      onNotSent: () => this.notSent++,
      whyNoPlace: async () => {
        this.asked++;
        return this.noPlace;
      },
      connect: () => this.connect(),
      now: () => this.now,
      random: () => 0.5,
    });
    this.line.start();
  }

  connect() {
    const socket = {
      readyState: 0,
      sent: [],
      send: text => socket.sent.push(JSON.parse(text)),
      close: () => (socket.readyState = 3),
    };
    this.sockets.push(socket);
    return socket;
  }

  get last() {
    return this.sockets.at(-1);
  }

  open() {
    this.last.readyState = 1;
    this.last.onopen();
  }

  say(message) {
    this.last.onmessage({ data: JSON.stringify(message) });
  }

  pass(ms) {
    for (const end = this.now + ms; this.now < end; ) {
      this.now += 100;
      mock.timers.tick(100);
    }
  }
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
});

test('greets first, pings every 2.5 s, answers a ping at once', () => {
  const scene = new Scene();
  scene.open();
  scene.say({ t: 'ping', p: '42' });
  scene.pass(5000);
  assert.deepEqual(scene.last.sent, [{ t: 'hi' }, { t: 'pong', p: '42' }, { t: 'ping' }, { t: 'ping' }]);
  assert.deepEqual(scene.heard, []);
});

test('nine seconds of silence: hangs up and opens again at once', () => {
  const scene = new Scene();
  scene.open();
  scene.pass(7500);
  assert.equal(scene.sockets.length, 1);
  scene.pass(2600);
  assert.equal(scene.sockets.length, 2);
  assert.equal(scene.sockets[0].readyState, 3);
  assert.deepEqual(scene.states, ['open', 'down']);
});

test('five seconds of silence are enough once a move waits for its answer', () => {
  const scene = new Scene();
  scene.open();
  scene.pass(1000);
  scene.line.send({ t: 'move', ply: 0, uci: 'e2e4' });
  scene.pass(4900);
  assert.equal(scene.sockets.length, 1);
  scene.pass(200);
  assert.ok(scene.states.includes('down'));
  assert.equal(scene.sockets.length, 2);
});

test('a slow answer to a move ends no connection on which anything is heard', () => {
  const scene = new Scene();
  scene.open();
  scene.line.send({ t: 'move', ply: 0, uci: 'e2e4' });
  for (let second = 0; second < 8; second++) {
    scene.pass(1000);
    scene.say({ t: 'pong' });
  }
  assert.equal(scene.sockets.length, 1);
});

test('backs off when nobody answers: 0, 0.5, 1, 2, 4, 5, 5 s', () => {
  const scene = new Scene();
  const opened = [];
  for (let at = 0; at < 20000; at += 100) {
    if (scene.sockets.length > opened.length) {
      opened.push(scene.now);
      scene.last.onclose({ code: 1006 });
    }
    scene.pass(100);
  }
  const waits = opened.slice(1).map((at, i) => at - opened[i]);
  assert.deepEqual(
    waits.map(ms => Math.floor(ms / 500) * 500),
    [0, 500, 1000, 2000, 4000, 5000, 5000],
  );
});

test('who gets no connection is told why, waits half a minute and then has one', async () => {
  const scene = new Scene();
  scene.noPlace = 'Too many people.';
  scene.last.onclose({ code: 1006 });
  scene.pass(100);
  assert.equal(scene.asked, 0);
  scene.last.onclose({ code: 1006 });
  await null;
  await null;
  assert.deepEqual([scene.asked, scene.states.at(-1), scene.line.reason], [1, 'crowded', 'Too many people.']);
  scene.pass(29000);
  assert.equal(scene.sockets.length, 2);
  scene.pass(1100);
  assert.equal(scene.sockets.length, 3);
  scene.last.onclose({ code: 1006 });
  assert.equal(scene.line.reason, 'Too many people.');
  scene.pass(30100);
  scene.open();
  assert.deepEqual(scene.states, ['down', 'crowded', 'open']);
  assert.equal(scene.line.reason, '');
});

test('a server that is away has no reason, and is asked for it once', async () => {
  const scene = new Scene();
  for (let at = 0; at < 8; at++) {
    scene.last.onclose({ code: 1006 });
    await null;
    await null;
    scene.pass(8000);
  }
  assert.deepEqual([scene.asked, scene.states], [1, ['down']]);
});

test('a connection that comes about after it was given up is not greeted', () => {
  const scene = new Scene();
  scene.line.restart();
  const given = scene.line.send({ t: 'draw' });
  scene.sockets[0].onopen();
  assert.deepEqual(scene.states, []);
  scene.open();
  assert.deepEqual(scene.last.sent, [{ t: 'hi' }, { t: 'draw', id: given }]);
  assert.deepEqual(scene.sockets[0].sent, []);
});

test('a move without an answer goes out again with the same id; an answered one does not', () => {
  const scene = new Scene();
  scene.open();
  const first = scene.line.send({ t: 'move', ply: 0, uci: 'e2e4' });
  const second = scene.line.send({ t: 'move', ply: 2, uci: 'd2d4' });
  scene.line.send({ t: 'chat', text: 'hello' });
  scene.say({ t: 'ok', id: first, v: 1 });
  scene.last.onclose({ code: 1006 });
  scene.pass(200);
  scene.open();
  assert.deepEqual(scene.last.sent, [{ t: 'hi' }, { t: 'move', ply: 2, uci: 'd2d4', id: second }]);
});

test('while the connection is down a move waits, anything else is refused', () => {
  const scene = new Scene();
  scene.open();
  scene.last.onclose({ code: 1006 });
  assert.equal(scene.line.send({ t: 'resign' }), null);
  assert.equal(scene.line.send({ t: 'move', ply: 0, uci: 'e2e4' }), 1);
  scene.pass(200);
  scene.open();
  assert.deepEqual(
    scene.last.sent.map(({ t }) => t),
    ['hi', 'move'],
  );
});

test('what is pressed before the first connection goes out behind the greeting, once', () => {
  const scene = new Scene();
  scene.line.send({ t: 'ready' });
  assert.deepEqual(scene.last.sent, []);
  scene.open();
  assert.deepEqual(scene.last.sent, [{ t: 'hi' }, { t: 'ready', id: 1 }]);
  scene.last.onclose({ code: 1006 });
  scene.pass(200);
  scene.open();
  assert.deepEqual([scene.last.sent, scene.notSent], [[{ t: 'hi' }], 0]);
});

test('what was pressed for a first connection that fails is not sent later; a move is', () => {
  const scene = new Scene();
  scene.line.send({ t: 'resign' });
  const move = scene.line.send({ t: 'move', ply: 0, uci: 'e2e4' });
  scene.last.onclose({ code: 1006 });
  assert.deepEqual([scene.notSent, scene.states], [1, ['down']]);
  scene.pass(200);
  scene.open();
  assert.deepEqual(scene.last.sent, [{ t: 'hi' }, { t: 'move', ply: 0, uci: 'e2e4', id: move }]);
});

test('nor is what was pressed on a page that was left before it had connected', () => {
  const scene = new Scene();
  scene.line.send({ t: 'resign' });
  scene.line.stop();
  scene.line.start();
  scene.open();
  assert.deepEqual([scene.last.sent, scene.notSent], [[{ t: 'hi' }], 1]);
});

test('while a page asks for the whole game again, a move waits, anything else is refused', () => {
  const scene = new Scene();
  scene.open();
  scene.line.restart();
  assert.equal(scene.line.send({ t: 'resign' }), null);
  const move = scene.line.send({ t: 'move', ply: 0, uci: 'e2e4' });
  scene.open();
  assert.deepEqual(scene.last.sent, [{ t: 'hi' }, { t: 'move', ply: 0, uci: 'e2e4', id: move }]);
});

test('a button that is pressed again and again before the first connection counts once; too many are refused', () => {
  const scene = new Scene();
  const first = scene.line.send({ t: 'accept', offer: 1 });
  assert.equal(scene.line.send({ t: 'accept', offer: 1 }), first);
  const ids = [2, 3, 4, 5, 6, 7, 8, 9].map(offer => scene.line.send({ t: 'accept', offer }));
  assert.equal(ids.at(-1), null);
  assert.notEqual(scene.line.send({ t: 'move', ply: 0, uci: 'e2e4' }), null);
  scene.open();
  assert.deepEqual(
    scene.last.sent.slice(1).map(({ t, offer }) => offer ?? t),
    [1, 2, 3, 4, 5, 6, 7, 8, 'move'],
  );
});

test('a restart is announced, and the crowd comes back spread out', () => {
  const scene = new Scene();
  scene.open();
  scene.say({ t: 'restart', within: 4000 });
  scene.last.onclose({ code: 1012 });
  scene.pass(1800);
  assert.equal(scene.sockets.length, 1);
  scene.pass(400);
  assert.equal(scene.sockets.length, 2);
  assert.deepEqual(scene.states, ['open', 'restarting']);
});

test('an outdated page is loaded once, then says so', () => {
  const scene = new Scene();
  scene.open();
  scene.say({ t: 'reload' });
  assert.deepEqual([scene.reloads, scene.states.at(-1)], [1, 'open']);
  scene.line.start();
  scene.open();
  scene.last.onclose({ code: 4400 });
  assert.equal(scene.states.at(-1), 'outdated');
  scene.pass(20000);
  assert.equal(scene.sockets.length, 2);
});

test('after a sleep it asks before it hangs up, and gives three seconds', () => {
  const scene = new Scene();
  scene.open();
  scene.now += 60000;
  scene.pass(2500);
  assert.equal(scene.sockets.length, 1);
  scene.say({ t: 'pong' });
  scene.pass(3500);
  assert.equal(scene.sockets.length, 1);
  scene.now += 60000;
  scene.pass(6000);
  assert.equal(scene.sockets.length, 2);
});

test('leaving says so; the last word of an old socket is not heard', () => {
  const scene = new Scene();
  scene.open();
  const old = scene.last;
  scene.line.restart();
  old.onmessage({ data: '{"t":"crowd"}' });
  old.onclose({ code: 1006 });
  scene.pass(1000);
  assert.deepEqual([scene.heard, scene.sockets.length], [[], 2]);
  scene.open();
  scene.line.stop();
  assert.deepEqual(scene.last.sent.at(-1), { t: 'bye' });
});

test('leaving for another page of the site says that, too', () => {
  const scene = new Scene();
  scene.open();
  scene.line.stop(true);
  assert.deepEqual(scene.last.sent.at(-1), { t: 'bye', within: 1 });
});

for (const code of ['deleted', 'no_game'])
  test(`a game that is not there (${code}) is said, and not asked for again`, () => {
    const scene = new Scene();
    scene.open();
    scene.say({ t: 'error', code, message: 'This game was deleted by the host.' });
    scene.last.onclose({ code: 1000 });
    scene.pass(60000);
    assert.deepEqual([scene.states, scene.sockets.length], [['open', 'deleted'], 1]);
  });
