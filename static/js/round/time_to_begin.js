/**
 * Announces the time left for the first move, in words and sounds. The seats show it (seats.js).
 *
 * @import { GameState } from '../game/model.js'
 */
import { timeToBegin, formatCountdown, speakClock } from '../game/clock.js';
import { turn } from '../game/model.js';
import { t } from '../words.js';

const SECOND_MS = 1000;
/** When the player to move is told how much time is left, s; they are told at the start too. */
const SAID_AT = [30, 10];
/** From here on each second ticks and is shown in the title, s. */
const LAST = 10;

export class TimeToBegin {
  #say;
  #sounds;
  /** @type {number | null} the half-move that was announced last */
  #announced = null;
  /** @type {number | null} s, at the last tick */
  #left = null;

  /** @param {(text: string) => void} say @param {import('../ui/audio/sound.js').Sounds} sounds */
  constructor(say, sounds) {
    this.#say = say;
    this.#sounds = sounds;
  }

  /**
   * @param {GameState} state @param {number} now performance.now()
   * @returns {string} for the title: the player's own last seconds, else ''
   */
  tick(state, now) {
    const ms = state.you === null ? null : timeToBegin(state, now);
    const before = this.#left;
    this.#left = ms === null ? null : Math.ceil(ms / SECOND_MS);
    if (ms === null || this.#left === null) return '';
    const mine = turn(state) === state.you;
    const time = this.#left * SECOND_MS;
    const words = () => t(mine ? 'round.begin_you' : 'round.begin_they', { time: speakClock(time) });
    if (this.#announced !== state.plies.length) {
      this.#announced = state.plies.length;
      this.#say(words());
    } else if (mine && before !== null && SAID_AT.some(at => this.#left !== null && this.#left <= at && at < before)) {
      this.#say(words());
    }
    if (!mine || this.#left > LAST) return '';
    if (this.#left !== before) this.#sounds.play('tick');
    return formatCountdown(time);
  }
}
