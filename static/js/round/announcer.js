/**
 * Announces what happens, in words and sounds: moves, checks, results, offers, arrivals, the connection. Shows nothing.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { GameState } from '../game/model.js'
 * @import { GameOutbound, Joined, Moved } from '../net/wire.js'
 */
import { opposite } from '../board/variant.js';
import { isLow, remaining, speakClock } from '../game/clock.js';
import { turn } from '../game/model.js';
import { speakSan } from '../game/san.js';
import { t } from '../words.js';
import { adjournmentWords } from './adjournment.js';
import { vacationWords } from './vacation.js';
import { connectionWords, declinedWords, endingWords, offerWords, ratingChangeWords, refusalWords } from './words.js';

export class Announcer {
  #variant;
  #say;
  #sounds;
  #warned = false;

  /** @param {Variant} variant @param {(text: string) => void} say @param {import('../ui/audio/sound.js').Sounds} sounds */
  constructor(variant, say, sounds) {
    this.#variant = variant;
    this.#say = say;
    this.#sounds = sounds;
  }

  /** @param {GameState} before @param {GameState} state @param {GameOutbound} message */
  happened(before, state, message) {
    switch (message.t) {
      case 'crowd':
        if (state.you && message.invited && !before.crowd?.invited) {
          this.#sounds.play('join');
          this.#say(t('round.link_opened'));
        }
        break;
      case 'moved':
        if (state.v !== before.v) this.#moved(state, message);
        break;
      case 'over':
        this.#sounds.play(endingSound(state));
        this.#say(endingWords(state));
        break;
      case 'offered':
        if (message.by !== state.you) {
          if (state.you) this.#sounds.play('offer');
          this.#say(offerWords(message, state.you));
        }
        break;
      case 'offer_closed':
        // Who made the offer hears it from the line that shows it.
        if (message.how === 'declined' && !declinedWords(before, message)) this.#say(t(`round.off_${message.kind}`));
        break;
      case 'adjourned':
        this.#say(adjournmentWords(state, message.adjourned));
        break;
      case 'vacation':
        this.#say(vacationWords(state) || t('vacation.over'));
        break;
      case 'took_back':
        this.#say(t('round.taken_back'));
        break;
      case 'joined':
        // Somebody whose account was deleted has not arrived: their name has gone.
        if (!message.seat.deleted) this.#joined(before, state, message);
        break;
      case 'rated': {
        const change = state.you && message[state.you]?.change;
        if (typeof change === 'number') this.#say(ratingChangeWords(change));
        break;
      }
      case 'clock':
        if (message.why === 'resumed') this.#say(t('round.clocks_run'));
        break;
      case 'said':
        this.#say(`${message.line.name}: ${message.line.text}`);
        break;
      case 'error':
        this.#say(refusalWords(message));
        break;
    }
  }

  /** @param {GameState} state */
  lastMove(state) {
    const last = state.plies.at(-1);
    this.#say(last ? speakSan(this.#variant, last.san) : t('round.no_move'));
  }

  /** @param {import('../net/socket.js').ConnectionState} connection @param {GameState} state */
  connection(connection, state) {
    this.#say(connectionWords(connection, state) || t('round.connected'));
  }

  /** @param {GameState} state @param {number} now performance.now() */
  clocks(state, now) {
    const words = (/** @type {'white' | 'black'} */ side) => {
      const left = remaining(state, side, now);
      return left === null ? t('round.no_limit') : speakClock(left);
    };
    const mover = t(turn(state) === 'white' ? 'round.white_to_move' : 'round.black_to_move');
    this.#say(t('round.clocks', { white: words('white'), black: words('black'), turn: mover }));
  }

  /** Warns whenever our own time becomes short. @param {GameState} state @param {number} now performance.now() */
  watchTime(state, now) {
    if (!state.you || state.clock.run !== state.you) return;
    const left = remaining(state, state.you, now);
    const low = left !== null && isLow(state, state.you, left);
    if (low && !this.#warned) {
      this.#sounds.play('low');
      this.#say(t('round.time_left', { time: speakClock(left) }));
    }
    this.#warned = low;
  }

  /** @param {GameState} state @param {Moved} move */
  #moved(state, { san }) {
    this.#sounds.move(san, state.check);
    const mover = opposite(turn(state));
    const words = mover === 'white' ? 'round.move_of_white' : 'round.move_of_black';
    this.#say(t(mover === state.you ? 'round.move_of_yours' : words, { move: speakSan(this.#variant, san) }));
  }

  /** @param {GameState} before @param {GameState} state @param {Joined} joined */
  #joined(before, state, { side, seat }) {
    const begins = before.status === 'open' && state.status === 'live';
    if (!(begins && this.#sounds.play('start')) && side !== state.you) this.#sounds.play('join');
    this.#say(t(side === 'white' ? 'round.joined_white' : 'round.joined_black', { name: seat.name ?? '' }));
  }
}

/** @param {GameState} state that is over @returns {'won' | 'drawn' | 'lost'} */
function endingSound({ you, ended }) {
  if (!you || !ended?.winner) return 'drawn';
  return ended.winner === you ? 'won' : 'lost';
}
