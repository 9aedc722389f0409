/** Which sounds are heard, and when the audio device sleeps. */
import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';

/** What has begun to sound: the frequency of each bell, 'wood' for each knock. @type {(number | string)[]} */
let heard = [];
/** @type {string[]} what was done with the audio device */
let device = [];
let loudness = 0;

class Node {
  constructor(_, options) {
    Object.assign(this, options);
  }
  connect(to) {
    return to;
  }
}
globalThis.GainNode = class extends Node {
  constructor(context, { gain }) {
    super(context, {});
    if (gain) loudness = gain;
    this.gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
  }
};
globalThis.BiquadFilterNode = Node;
globalThis.AudioBufferSourceNode = class extends Node {
  start() {
    heard.push('wood');
  }
};
globalThis.OscillatorNode = class extends Node {
  start() {
    heard.push(this.frequency);
  }
  stop() {}
};
globalThis.AudioContext = class {
  currentTime = 0;
  sampleRate = 8000;
  destination = new Node();
  constructor() {
    device.push('made');
  }
  createBuffer(_, length) {
    return { getChannelData: () => new Float32Array(length) };
  }
  async resume() {
    device.push('resumed');
  }
  async suspend() {
    device.push('suspended');
  }
};
const listeners = new Map();
globalThis.addEventListener = (kind, listener) => listeners.set(kind, listener);
globalThis.removeEventListener = kind => listeners.delete(kind);
const dataset = {};
globalThis.document = /** @type {any} */ ({ documentElement: { dataset }, addEventListener() {}, dispatchEvent() {} });
const { Sounds } = await import('../../../static/js/ui/audio/sound.js');

/** Each sound, and the preference that switches it. */
const SWITCHES = {
  ...Object.fromEntries(
    ['move', 'capture', 'check', 'join', 'start', 'low', 'chat', 'offer', 'pairing', 'turn'].map(name => [name, name]),
  ),
  ...{ tick: 'low', won: 'end', drawn: 'end', lost: 'end' },
};
const settled = () => new Promise(done => setImmediate(done));

async function played(sound, sounds = touched()) {
  heard = [];
  const wanted = sounds.play(sound);
  await settled();
  return { wanted, heard };
}

function touched() {
  const sounds = new Sounds();
  listeners.get('pointerdown')();
  return sounds;
}

beforeEach(() => {
  for (const name of Object.keys(dataset)) delete dataset[name];
  device = [];
});

test('every sound is heard, and no two are the same', async () => {
  const all = [];
  for (const sound of Object.keys(SWITCHES)) {
    const { wanted, heard } = await played(sound);
    assert.ok(wanted && heard.length, sound);
    all.push(heard.join());
  }
  all.splice(Object.keys(SWITCHES).indexOf('tick'), 1); // a knock as a move is, only higher
  assert.equal(new Set(all).size, all.length);
});

test('each can be switched off, and only those of its kind are', async () => {
  for (const [switched, kind] of Object.entries(SWITCHES)) {
    dataset[`sound_${kind}`] = 'off';
    for (const [sound, own] of Object.entries(SWITCHES)) {
      const { wanted, heard } = await played(sound);
      assert.equal(wanted, own !== kind, `${sound} without ${switched}`);
      assert.equal(heard.length > 0, wanted);
    }
    delete dataset[`sound_${kind}`];
  }
});

test('without sound nothing is heard, but by somebody who asks how it sounds', async () => {
  dataset.sound = 'off';
  const sounds = touched();
  for (const sound of Object.keys(SWITCHES)) assert.deepEqual((await played(sound, sounds)).heard, []);
  sounds.hear('chat');
  await settled();
  assert.ok(heard.length);
});

test('check without its own sound is heard as the move that it is', async () => {
  dataset.sound_check = 'off';
  const sounds = touched();
  heard = [];
  sounds.move('Qxf7+', true);
  await settled();
  assert.deepEqual(heard, (await played('capture')).heard);
});

test('the page is silent until it was touched, and then makes one device', async () => {
  const sounds = new Sounds();
  assert.deepEqual((await played('won', sounds)).heard, []);
  assert.deepEqual(device, []);
  listeners.get('keydown')();
  assert.equal(listeners.size, 0);
  await played('won', sounds);
  await played('lost', sounds);
  assert.equal(device.filter(done => done === 'made').length, 1);
});

test('the device sleeps while nothing is heard, and wakes for the next sound', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const sounds = touched();
  mock.timers.tick(5000);
  assert.deepEqual(device, ['made', 'suspended']);
  await played('move', sounds);
  mock.timers.tick(1000);
  await played('move', sounds);
  mock.timers.tick(1000);
  assert.deepEqual(device, ['made', 'suspended', 'resumed', 'resumed']);
  mock.timers.tick(1000);
  assert.equal(device.at(-1), 'suspended');
  mock.timers.reset();
});

test('it is as loud as was chosen', async () => {
  for (const volume of ['100', '40', '10']) {
    dataset.volume = volume;
    await played('chat');
    assert.equal(loudness, Number(volume) / 100);
  }
});

test('a device that wakes slowly is not sent to sleep before it has sounded', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const sounds = touched();
  const { resume } = AudioContext.prototype;
  let wake = () => {};
  AudioContext.prototype.resume = () => new Promise(done => (wake = done));
  heard = [];
  sounds.play('join');
  mock.timers.tick(5000);
  assert.ok(!device.includes('suspended'));
  wake();
  await settled();
  assert.ok(heard.length);
  mock.timers.tick(5000);
  assert.ok(device.includes('suspended'));
  AudioContext.prototype.resume = resume;
  mock.timers.reset();
});
