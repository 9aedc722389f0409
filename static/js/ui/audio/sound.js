/**
 * Sounds, generated on the fly: short bursts of filtered noise for wood on wood, and bells for what needs attention.
 * Browsers allow sound only after the person has clicked or typed something; until then the page is silent. The audio
 * device sleeps while nothing is heard. Which sounds are wanted, and how loud, are preferences of the reader.
 *
 * @typedef {(context: AudioContext, out: AudioNode) => void} Note   plays it
 */
import { isOn, preference } from '../preferences.js';

const NOISE_S = 0.09;
const BELL_S = 0.5;
/** No sound lasts longer. */
const LONGEST_MS = 1500;

/** Wood on wood. @param {number} frequency Hz @param {number} [after] s @returns {Note} */
const knock =
  (frequency, after = 0) =>
  (context, out) => {
    const buffer = context.createBuffer(1, context.sampleRate * NOISE_S, context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 6;
    const source = new AudioBufferSourceNode(context, { buffer });
    const filter = new BiquadFilterNode(context, { type: 'bandpass', frequency, Q: 1.5 });
    source
      .connect(filter)
      .connect(new GainNode(context, { gain: 0.9 }))
      .connect(out);
    source.start(context.currentTime + after);
  };

/** A struck bar, fading. @param {number} frequency Hz @param {number} [after] s @param {number} [length] s @returns {Note} */
const bell =
  (frequency, after = 0, length = BELL_S) =>
  (context, out) => {
    const at = context.currentTime + after;
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(0.14, at + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.001, at + length);
    const oscillator = new OscillatorNode(context, { frequency, type: 'triangle' });
    oscillator.connect(gain).connect(out);
    oscillator.start(at);
    oscillator.stop(at + length);
  };

/** The preference that switches each sound, and its notes. @satisfies {Record<string, [string, Note[]]>} */
const SOUNDS = {
  move: ['sound_move', [knock(900)]],
  capture: ['sound_capture', [knock(700), knock(1300, 0.05)]],
  check: ['sound_check', [knock(900), bell(740, 0.05, 0.25)]],
  join: ['sound_join', [knock(420), bell(392, 0.05), bell(523, 0.15)]],
  start: ['sound_start', [bell(523), bell(659, 0.1), bell(784, 0.2)]],
  tick: ['sound_low', [knock(1600)]],
  low: ['sound_low', [bell(520, 0, 0.15), bell(520, 0.16, 0.15), bell(520, 0.32, 0.15)]],
  won: ['sound_end', [bell(523), bell(659, 0.12), bell(784, 0.24), bell(1047, 0.36, 0.9)]],
  drawn: ['sound_end', [bell(523), bell(523, 0.2, 0.8)]],
  lost: ['sound_end', [bell(523), bell(440, 0.16), bell(349, 0.32, 0.9)]],
  chat: ['sound_chat', [bell(1175, 0, 0.12)]],
  offer: ['sound_offer', [bell(659, 0, 0.25), bell(880, 0.14)]],
  pairing: ['sound_pairing', [bell(587), bell(784, 0.1), bell(1175, 0.2, 0.8)]],
  turn: ['sound_turn', [bell(698, 0, 0.25), bell(880, 0.1)]],
};

/** @typedef {keyof typeof SOUNDS} Sound */

export class Sounds {
  /** @type {AudioContext | null} null: the page was not touched yet */
  #context = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #rest;

  constructor() {
    const wake = () => {
      this.#context = new AudioContext();
      this.#sleepSoon();
    };
    const kinds = ['pointerdown', 'keydown'];
    const touched = () => {
      for (const kind of kinds) removeEventListener(kind, touched, { capture: true });
      wake();
    };
    for (const kind of kinds) addEventListener(kind, touched, { capture: true });
  }

  /** @param {string} san @param {boolean} check */
  move(san, check) {
    this.play(check && isOn('sound_check') ? 'check' : san.includes('x') ? 'capture' : 'move');
  }

  /** @param {Sound} sound @returns {boolean} whether it is wanted */
  play(sound) {
    const [kind, notes] = SOUNDS[sound];
    if (!isOn('sound') || !isOn(kind)) return false;
    void this.#sound(notes);
    return true;
  }

  /** Plays it to somebody who asks how it sounds, wanted or not. @param {Sound} sound */
  hear(sound) {
    void this.#sound(SOUNDS[sound][1]);
  }

  /** @param {Note[]} notes */
  async #sound(notes) {
    const context = this.#context;
    if (!context) return;
    // Counted from the notes on: on a busy machine the device wakes more slowly than it would go to sleep again.
    clearTimeout(this.#rest);
    await context.resume();
    const loudness = new GainNode(context, { gain: Number(preference('volume') ?? 100) / 100 });
    loudness.connect(context.destination);
    for (const note of notes) note(context, loudness);
    this.#sleepSoon();
  }

  #sleepSoon() {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => void this.#context?.suspend(), LONGEST_MS);
  }
}
