/**
 * The box of notices: the state of the connection, the result, open offers, what to do when the opponent has left, and the
 * rematch.
 *
 * @import { GameState } from '../../game/model.js'
 * @import { Command } from '../../net/messages.js'
 */
import { opposite } from '../../board/variant.js';
import { isByDays } from '../../game/terms.js';
import { adjournmentBox, claimButtons, offerBox, timeUpBox, timeUpWords } from './notice_boxes.js';
import { byId, create, createButton, createLink, setText } from '../../ui/dom.js';
import { shield } from '../../ui/shield.js';
import { t } from '../../words.js';
import { vacationWords } from '../vacation.js';
import {
  claimWords,
  connectionWords,
  declinedWords,
  isBroken,
  offerWords,
  refusalWords,
  resumeWords,
} from '../words.js';

const SECOND_MS = 1000;
/** How long it stands that the opponent has declined: to be read twice. */
const DECLINED_MS = 8 * SECOND_MS;
/** A box comes up where somebody may be about to press something else. */
const NEW_MS = 800;

export class Notices {
  #send;
  #status = byId('status');
  #offers = byId('offers');
  #shown = '';
  /** @type {string} about this person's last command, until the next event */
  #remark = '';
  /** Whether this person aborts the game for another opponent. */
  #another = false;
  /** When the remark has been read, performance.now(). */
  #until = Infinity;

  /** @param {(command: Command) => void} send */
  constructor(send) {
    this.#send = send;
  }

  /** @param {string} text '' removes it @param {number} until performance.now(); without it, until the next event */
  remark(text, until = Infinity) {
    this.#remark = text;
    this.#until = until;
  }

  /** Remarks on a message of the server, until the next one.
   * @param {GameState} before @param {import('../../net/wire.js').GameOutbound} message */
  happened(before, message) {
    switch (message.t) {
      // A refused move is followed by the whole game, and its reason must stay readable; as must what is said of moves that
      // a page has missed, which are followed by the news that it knows all of them.
      case 'crowd':
      case 'resumed':
      case 'snapshot':
        break;
      case 'error':
        this.#another = false;
        this.remark(refusalWords(message));
        break;
      case 'wait':
        this.remark(t('round.slow_store'));
        break;
      case 'offer_closed': {
        this.remark(declinedWords(before, message), performance.now() + DECLINED_MS);
        break;
      }
      default:
        this.remark('');
    }
  }

  /** Leads on whoever has left the game for another opponent, once it is over and the page shows it. @param {GameState} state */
  leadOn({ ended }) {
    if (!ended || !this.#another) return;
    this.#another = false;
    byId('new-opponent').click();
  }

  /** @param {GameState} state @param {import('../words.js').Connectivity} connection @param {number} now performance.now() */
  render(state, connection, now) {
    if (now >= this.#until) this.remark('');
    this.#status.classList.toggle('bad', isBroken(connection.state));
    setText(this.#status, [connectionWords(connection, state, now), this.#remark].filter(Boolean).join(' '));
    this.#renderOffers(state, now);
  }

  /** @param {GameState} state @param {number} now */
  #renderOffers(state, now) {
    const claim = claimIn(state, now);
    const seconds = claim === null ? null : Math.ceil(claim / SECOND_MS);
    const words =
      seconds === null || !state.you || !state.presence
        ? ''
        : claimWords(state.presence[opposite(state.you)].here, seconds);
    const tooSoon = hasLeftTooSoon(state);
    const goesOn = resumeWords(state, now);
    const timeUp = timeUpWords(state, now);
    const key = JSON.stringify([
      state.offers,
      words,
      tooSoon,
      goesOn,
      timeUp,
      state.next,
      state.you,
      state.adjourned,
      state.away,
      state.ended,
    ]);
    if (key === this.#shown) return;
    this.#shown = key;
    /** @type {HTMLElement[]} */
    const boxes = state.offers.map(offer => this.#offer(offer, state));
    if (goesOn) boxes.push(offerBox(goesOn, []));
    if (timeUp) boxes.push(timeUpBox(state, timeUp, this.#send));
    if (words) boxes.push(offerBox(words, seconds === 0 ? claimButtons(this.#send) : []));
    else if (tooSoon) boxes.push(this.#abort());
    const vacation = vacationWords(state);
    if (vacation) boxes.push(offerBox(vacation, []));
    const adjournment = adjournmentBox(state, this.#send, Date.now());
    if (adjournment) boxes.push(adjournment);
    if (state.next) boxes.push(nextGame(state.next));
    const known = [...this.#offers.querySelectorAll('.offer')].map(box => box.textContent);
    // A new list each time: what was there does not move when more comes.
    this.#offers.replaceChildren(...(boxes.length ? [create('div', 'offer-list', ...boxes)] : []));
    for (const box of boxes) if (!known.includes(box.textContent)) shield(box, NEW_MS);
  }

  /** @param {import('../../net/wire.js').OpenOffer} offer @param {GameState} state */
  #offer(offer, state) {
    const { you } = state;
    const decline = (/** @type {string} */ words) =>
      createButton('button', () => this.#send({ t: 'decline', offer: offer.offer }), words);
    const accept = () => this.#send({ t: 'accept', offer: offer.offer });
    const buttons =
      you === null
        ? []
        : offer.by === you
          ? [decline(t('round.withdraw'))]
          : [createButton('button primary', accept, t('buttons.accept')), decline(t('buttons.decline'))];
    return offerBox(offerWords(offer, state), buttons);
  }

  #abort() {
    const abort = (/** @type {boolean} */ another) => {
      this.#another = another;
      this.#send({ t: 'abort' });
    };
    return offerBox(t('round.left_too_soon'), [
      createButton('button primary', () => abort(true), t('round.new_opponent')),
      createButton('button', () => abort(false), t('round.abort')),
    ]);
  }
}

/**
 * @param {GameState} state @param {number} now performance.now()
 * @returns {number | null} ms until this player may claim the game; 0: now; null: nothing to claim
 */
function claimIn(state, now) {
  if (!state.you || state.ended || !state.presence) return null;
  const given = state.presence[opposite(state.you)].claim_in;
  return given === undefined || given === null ? null : Math.max(0, given - (now - state.presenceAt));
}

/** Whether the opponent left before the game began, so that there is nothing to claim. In correspondence games people come and go.
 * @param {GameState} state */
function hasLeftTooSoon(state) {
  const { you, status, canAbort, presence } = state;
  return you !== null && status === 'live' && canAbort && !isByDays(state) && presence?.[opposite(you)].here === 'left';
}

/** @param {string} id */
const nextGame = id => offerBox(t('round.play_again'), [createLink('button primary', `/${id}`, t('round.next_game'))]);
