/**
 * Says and sounds what happens: moves, checks, results, offers, who came, the line. Shows nothing.
 *
 * @typedef {import('../board/variant.js').Variant} Variant
 * @typedef {import('../game/model.js').GameState} GameState
 * @typedef {import('../net/messages.js').ServerMessage} ServerMessage
 */
import { isLow, remaining, speakClock } from '../game/clock.js';
import { turn, turnOf } from '../game/model.js';
import { speakSan } from '../game/san.js';
import { lineWords, offerWords, resultWords } from './words.js';

export class Announcer {
  #variant;
  #say;
  #sounds;
  #warned = false;

  /** @param {Variant} variant @param {(text: string) => void} say @param {import('./sound.js').Sounds} sounds */
  constructor(variant, say, sounds) {
    this.#variant = variant;
    this.#say = say;
    this.#sounds = sounds;
  }

  /** @param {GameState} before @param {GameState} state @param {ServerMessage} message */
  happened(before, state, message) {
    switch (message.t) {
      case 'moved':
        if (state.v !== before.v) this.#moved(state, message);
        break;
      case 'over':
        this.#sounds.play('end');
        this.#say(resultWords(message.ended));
        break;
      case 'offered':
        if (message.by !== state.you) this.#say(offerWords(message, state.you));
        break;
      case 'offer_closed':
        if (message.how === 'declined') this.#say(`The offer of a ${message.kind} is off.`);
        break;
      case 'took_back': this.#say('Taken back.'); break;
      case 'joined': this.#say(`${message.seat.name} has joined and plays ${message.side}.`); break;
      case 'clock':
        if (message.why === 'resumed') this.#say('The clocks run again.');
        break;
      case 'said': this.#say(`${message.line.name}: ${message.line.text}`); break;
      case 'error': this.#say(message.message); break;
    }
  }

  /** @param {GameState} state */
  lastMove(state) {
    const last = state.plies.at(-1);
    this.#say(last ? speakSan(this.#variant, last.san) : 'No move yet.');
  }

  /** @param {import('../net/socket.js').LineState} line @param {GameState} state */
  line(line, state) {
    this.#say(lineWords(line, state) || 'Connected.');
  }

  /** @param {GameState} state @param {number} now performance.now() */
  clocks(state, now) {
    const words = (/** @type {'white' | 'black'} */ side) => {
      const left = remaining(state, side, now);
      return `${side} ${left === null ? 'has no limit' : speakClock(left)}`;
    };
    this.#say(`${words('white')}, ${words('black')}. ${turn(state)} to move`);
  }

  /** Warns once each time that our own time becomes short. @param {GameState} state @param {number} now performance.now() */
  watchTime(state, now) {
    if (!state.you || state.clock.run !== state.you) return;
    const left = remaining(state, state.you, now);
    const low = left !== null && isLow(state, state.you, left);
    if (low && !this.#warned) {
      this.#sounds.play('low');
      this.#say(`You have ${speakClock(left)} left.`);
    }
    this.#warned = low;
  }

  /** @param {GameState} state @param {import('../net/messages.js').Moved} move */
  #moved(state, { san }) {
    this.#sounds.play(state.check ? 'check' : san.includes('x') ? 'capture' : 'move');
    const mover = turnOf(state.fen) === 'white' ? 'black' : 'white';
    this.#say(`${mover === state.you ? 'You' : mover}: ${speakSan(this.#variant, san)}`);
  }
}
