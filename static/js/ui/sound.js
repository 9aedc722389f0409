/**
 * Sounds, generated on the fly: short bursts of filtered noise for wood on wood, and tones for what needs attention.
 * Browsers allow sound only after the person has clicked or typed something; until then the page is silent.
 *
 * @typedef {(context: AudioContext) => void} Note   plays it
 * @typedef {'move' | 'capture' | 'check' | 'tick' | 'low' | 'end' | 'chat'} Sound
 */
import { siteStorage } from '../storage.js';

const STORED = 'sound';
const NOISE_S = 0.09;

/** Wood on wood. @param {number} frequency Hz @param {number} [after] s @returns {Note} */
const knock =
  (frequency, after = 0) =>
  context => {
    const buffer = context.createBuffer(1, context.sampleRate * NOISE_S, context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 6;
    const source = new AudioBufferSourceNode(context, { buffer });
    const filter = new BiquadFilterNode(context, { type: 'bandpass', frequency, Q: 1.5 });
    source
      .connect(filter)
      .connect(new GainNode(context, { gain: 0.9 }))
      .connect(context.destination);
    source.start(context.currentTime + after);
  };

/** @param {number} frequency Hz @param {number} [after] s @returns {Note} */
const tone =
  (frequency, after = 0) =>
  context => {
    const at = context.currentTime + after;
    const oscillator = new OscillatorNode(context, { frequency });
    const gain = new GainNode(context, { gain: 0.12 });
    gain.gain.setValueAtTime(0.12, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + 0.15);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(at);
    oscillator.stop(at + 0.15);
  };

/** @type {Record<Sound, Note[]>} */
const SOUNDS = {
  move: [knock(900)],
  capture: [knock(700), knock(1300, 0.05)],
  check: [knock(900), tone(740, 0.05)],
  tick: [knock(1600)],
  low: [tone(520), tone(520, 0.16)],
  end: [tone(523), tone(392, 0.18)],
  chat: [tone(880)],
};

export class Sounds {
  /** @type {AudioContext | null} */
  #context = null;
  #on = siteStorage.get(STORED) !== 'off';

  constructor() {
    const wake = () => {
      this.#context ??= new AudioContext();
      void this.#context.resume();
    };
    for (const event of ['pointerdown', 'keydown']) addEventListener(event, wake, { once: true, capture: true });
  }

  get on() {
    return this.#on;
  }

  toggle() {
    this.#on = !this.#on;
    siteStorage.set(STORED, this.#on ? 'on' : 'off');
  }

  /** @param {string} san @param {boolean} check */
  move(san, check) {
    this.play(check ? 'check' : san.includes('x') ? 'capture' : 'move');
  }

  /** @param {Sound} sound */
  play(sound) {
    const context = this.#context;
    if (!this.#on || !context || context.state !== 'running') return;
    for (const note of SOUNDS[sound]) note(context);
  }
}
