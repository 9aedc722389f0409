/**
 * Announces what happens, in words and sounds: moves, checks, results, offers, arrivals, the connection. Shows nothing.
 *
 * @import { Variant } from '../board/variant.js'
 * @import { GameState } from '../game/model.js'
 * @import { GameOutbound, Joined, Moved, PresenceOut } from '../net/wire.js'
 */
import { opposite } from '../board/variant.js';
import { isLow, remaining, speakClock } from '../game/clock.js';
import { turn } from '../game/model.js';
import { speakSan } from '../game/san.js';
import { personName, t } from '../words.js';
import { adjournmentWords } from './panel/notice_boxes.js';
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
    this.#play(before, state, message);
    const words = this.#words(before, state, message);
    if (words) this.#say(words);
  }

  /** @param {GameState} before @param {GameState} state @param {GameOutbound} message */
  #play(before, state, message) {
    switch (message.t) {
      case 'crowd':
        if (isLinkOpened(before, state, message)) this.#sounds.play('join');
        break;
      case 'moved':
        if (state.v !== before.v) this.#sounds.move(message.san, state.check);
        break;
      case 'over':
        this.#sounds.play(endingSound(state));
        break;
      case 'offered':
        if (state.you && message.by !== state.you) this.#sounds.play('offer');
        break;
      case 'snapshot':
        this.#playMissed(before, state);
        break;
      case 'joined': {
        if (message.seat.deleted || (begins(before, state) && this.#sounds.play('start'))) break;
        if (message.side !== state.you) this.#sounds.play('join');
      }
    }
  }

  /**
   * A page that greets anew, as who just took a seat, or that comes back to a restarted server, gets what it missed as one
   * snapshot instead of the events. Of several things only the last is heard.
   *
   * @param {GameState} before @param {GameState} state
   */
  #playMissed(before, state) {
    const last = state.plies.at(-1);
    if (!before.ended && state.ended) this.#sounds.play(endingSound(state));
    else if (last && state.plies.length > before.plies.length) this.#sounds.move(last.san, state.check);
    else if (begins(before, state)) this.#sounds.play('start');
  }

  /** @param {GameState} before @param {GameState} state @returns {string | false} */
  #missedWords(before, state) {
    const last = state.plies.at(-1);
    if (!before.ended && state.ended) return endingWords(state);
    if (last && state.plies.length > before.plies.length) return this.#moveWords(state, last);
    const side = !before.seats.white.name ? 'white' : 'black';
    return begins(before, state) && side !== state.you && joinedWords({ side, seat: state.seats[side] });
  }

  /** @param {GameState} before @param {GameState} state @param {GameOutbound} message @returns {string | false} */
  #words(before, state, message) {
    switch (message.t) {
      case 'crowd':
        return isLinkOpened(before, state, message) && t('round.link_opened');
      case 'moved':
        return state.v !== before.v && this.#moveWords(state, message);
      case 'over':
        return endingWords(state);
      case 'offered':
        return message.by !== state.you && offerWords(message, state);
      case 'offer_closed':
        // Who made the offer hears it from the line that shows it.
        return message.how === 'declined' && !declinedWords(before, message) && t(`round.off_${message.kind}`);
      case 'adjourned':
        return adjournmentWords(state, message.adjourned);
      case 'vacation':
        return vacationWords(state) || t('vacation.over');
      case 'snapshot':
        return this.#missedWords(before, state);
      case 'took_back':
        return t('round.taken_back');
      case 'joined':
        return joinedWords(message);
      case 'rated': {
        const change = state.you && message[state.you]?.change;
        return typeof change === 'number' && ratingChangeWords(change);
      }
      case 'clock':
        return message.why === 'resumed' && t('round.clocks_run');
      case 'said':
        return `${personName(message.line.name)}: ${message.line.text}`;
      case 'error':
        return refusalWords(message);
      default:
        return false;
    }
  }

  /** @param {GameState} state */
  lastMove(state) {
    const last = state.plies.at(-1);
    this.#say(last ? speakSan(this.#variant, last.san) : t('round.no_move'));
  }

  /** @param {import('./words.js').Connectivity} connection @param {GameState} state @param {string} next what to do, if anything
   * @param {number} now performance.now() */
  connection(connection, state, next, now) {
    this.#say(connectionWords(connection, state, now) || `${t('round.connected')} ${next}`.trim());
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

  /** @param {GameState} state @param {Pick<Moved, 'san'>} move */
  #moveWords(state, { san }) {
    const mover = opposite(turn(state));
    const words = mover === 'white' ? 'round.move_of_white' : 'round.move_of_black';
    return t(mover === state.you ? 'round.move_of_yours' : words, { move: speakSan(this.#variant, san) });
  }
}

/** Whether a friend has just opened the link. @param {GameState} before @param {GameState} state @param {PresenceOut} presence */
const isLinkOpened = (before, state, { invited }) => !!state.you && !!invited && !before.presence?.invited;

/** @param {GameState} before @param {GameState} state */
const begins = (before, state) => before.status === 'open' && state.status === 'live';

/** Somebody whose account was deleted has not arrived: their name has gone. @param {Pick<Joined, 'side' | 'seat'>} joined */
const joinedWords = ({ side, seat }) =>
  !seat.deleted &&
  t(side === 'white' ? 'round.joined_white' : 'round.joined_black', { name: personName(seat.name ?? '') });

/** @param {GameState} state that is over @returns {'won' | 'drawn' | 'lost'} */
function endingSound({ you, ended }) {
  if (!you || !ended?.winner) return 'drawn';
  return ended.winner === you ? 'won' : 'lost';
}
