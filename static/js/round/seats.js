/**
 * The two seats beside the board: the players, their connections and clocks, and whose turn it is.
 *
 * @import { GameState } from '../game/model.js'
 * @import { Side } from '../net/messages.js'
 * @import { PlayerRating } from '../net/wire.js'
 */
import { opposite } from '../board/variant.js';
import { formatClock, formatCountdown, isLong, isLow, remaining, timeToBegin } from '../game/clock.js';
import { turn } from '../game/model.js';
import { t } from '../words.js';
import { byId, create, setText } from '../ui/dom.js';
import { personLinkAside } from '../ui/person_link.js';
import { awayWords } from './vacation.js';
import { presenceOf, presenceWords } from './words.js';

/** Between two facts about a seat; its no-break space keeps it from starting a line. */
const DOT = '\u00a0· ';
/** Less time than this for the first move is shown as urgent. */
const HURRY_MS = 10_000;

export class Seats {
  /** @type {Map<HTMLElement, string>} what is said where */
  #named = new Map();
  #places = { top: place('top'), bottom: place('bottom') };

  /**
   * @param {GameState} state @param {Side} bottom @param {number} now performance.now()
   * @param {Side | null} offered the seat that this person has been invited to
   */
  render(state, bottom, now, offered) {
    this.#seat('bottom', bottom, state, offered);
    this.#seat('top', opposite(bottom), state, offered);
    this.tick(state, bottom, now);
  }

  /** Updates the times. @param {GameState} state @param {Side} bottom @param {number} now */
  tick(state, bottom, now) {
    this.#clock('bottom', bottom, state, now);
    this.#clock('top', opposite(bottom), state, now);
  }

  /** Marks both clocks as what was last known, or not. @param {boolean} doubtful */
  markDoubt(doubtful) {
    for (const { clock } of [this.#places.top, this.#places.bottom]) {
      clock.classList.toggle('doubtful', doubtful);
      clock.title = doubtful ? t('round.clock_doubtful') : '';
    }
  }

  /** @param {'top' | 'bottom'} where @param {Side} side @param {GameState} state @param {Side | null} offered */
  #seat(where, side, state, offered) {
    const { seat, name, rating } = this.#places[where];
    const asked = side === 'black' && state.askedNext ? state.askedNext : state.asked;
    const opened = state.you && state.presence?.invited;
    const waits = t(asked ? 'round.seat_asked' : opened ? 'round.link_opened' : 'round.seat_free');
    const free = offered === side ? { name: t('round.your_seat') } : asked?.name ? asked : { name: waits };
    const shown = state.seats[side].name ? state.seats[side] : free;
    // A press beside one's own pieces must lead nowhere.
    const { account, bot } = shown;
    this.#name(name, shown.name ?? '', side !== state.you && account, bot);
    renderRating(rating, state.seats[side].name ? state.ratings[side] : null);
    // The players of an imported game are not on this site; the computer is wherever its opponent is.
    const here = state.seats[side].level ? 'here' : state.seats[side].id && presenceOf(state, side)?.here;
    seat.dataset.here = here || '';
    seat.classList.toggle('free', !state.seats[side].name);
    seat.classList.toggle('turn', !state.ended && !state.adjourned && !state.sent && turn(state) === side);
  }

  /** Replaces what it says only if that changes, as somebody may be about to press it.
   * @param {HTMLElement} place @param {string} name @param {unknown} account @param {unknown} bot */
  #name(place, name, account, bot) {
    const now = JSON.stringify([name, Boolean(account), Boolean(bot)]);
    if (this.#named.get(place) === now) return;
    this.#named.set(place, now);
    place.replaceChildren(personLinkAside(name, account, bot));
  }

  /** @param {'top' | 'bottom'} where @param {Side} side @param {GameState} state @param {number} now */
  #clock(where, side, state, now) {
    const { presence, clock } = this.#places[where];
    const left = remaining(state, side, now);
    const text = left === null ? '' : formatClock(left);
    setText(clock, text);
    clock.classList.toggle('long', isLong(text));
    clock.classList.toggle('runs', !state.ended && state.clock.run === side && !(state.sent && state.you === side));
    clock.classList.toggle('low', left !== null && !state.ended && isLow(state, side, left));
    const begin = turn(state) === side ? timeToBegin(state, now) : null;
    presence.classList.toggle('hurry', begin !== null && begin <= HURRY_MS);
    setText(presence, seatWords(side, state, now, begin));
  }
}

/** "Black · connection lost 12 s ago". @param {Side} side @param {GameState} state @param {number} now
 * @param {number | null} begin ms that this side has for its first move */
function seatWords(side, state, now, begin) {
  const known = state.seats[side].id && side !== state.you;
  const presence = known ? presenceWords(presenceOf(state, side), now - state.presenceAt) : '';
  const color = t(side === 'white' ? 'terms.white' : 'terms.black');
  const first = begin === null ? '' : t('round.begin_in', { time: formatCountdown(begin) });
  return [color, side === state.you ? t('round.seat_you') : '', awayWords(state, side) || presence, first]
    .filter(Boolean)
    .join(DOT);
}

/** @param {'top' | 'bottom'} where */
function place(where) {
  const seat = byId(`seat-${where}`);
  const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (seat.querySelector(name));
  return {
    seat,
    name: part('.seat-name'),
    presence: part('.seat-presence'),
    rating: part('.seat-rating'),
    clock: byId(`clock-${where}`),
  };
}

// The rating beside a player's name, and how the game changed it.

/** @type {WeakMap<HTMLElement, string>} what each element shows, so that it is rebuilt only when that changes */
const shown = new WeakMap();

/** @param {HTMLElement} place @param {PlayerRating | null} rating */
function renderRating(place, rating) {
  const now = JSON.stringify(rating);
  if (shown.get(place) === now) return;
  shown.set(place, now);
  place.hidden = !rating;
  place.replaceChildren(...(rating ? parts(rating) : []));
}

/** @param {PlayerRating} rating */
function parts({ rating, provisional, change }) {
  const words = t(provisional ? 'ratings.seat_provisional' : 'ratings.seat', { rating });
  const points = create('span', '', `${rating}${provisional ? '?' : ''}`);
  Object.assign(points, { role: 'img', ariaLabel: words, title: words });
  if (change === undefined || change === null) return [points];
  const moved = create('b', '', change < 0 ? `−${-change}` : change > 0 ? `+${change}` : '±0');
  if (change < 0) moved.dataset.lost = '';
  return [points, ' ', moved];
}
