/**
 * What a message of the server makes of the game that this page knows: a pure function from both to the next value.
 * Knows no page and no socket.
 *
 * @import { GameEvent } from '../net/messages.js'
 * @import { ClockSet, Clocks, GameOutbound, Joined, Moved, Over, TookBack } from '../net/wire.js'
 * @import { GameState } from './model.js'
 */
import { bothSides, fromSnapshot, listOf, moverOf } from './model.js';

/** From then on a player can only resign (server: games/status). */
const PLIES_TO_ABORT = 2;

/** Whether events before this one are missing, so that the page needs a new snapshot.
 * @param {GameState} state @param {GameOutbound} message */
export const isGap = (state, message) =>
  'v' in message &&
  message.v !== undefined &&
  message.t !== 'snapshot' &&
  message.t !== 'ok' &&
  message.t !== 'error' &&
  message.v > state.v + (message.t === 'resumed' ? 0 : 1);

/** @param {GameState} state @param {GameOutbound} message @param {number} now performance.now() @returns {GameState} */
export function reduce(state, message, now) {
  switch (message.t) {
    case 'snapshot':
      return fromSnapshot(message, now, state);
    case 'crowd':
      return { ...state, presence: message, presenceAt: now };
    case 'resumed':
      return {
        ...withClock(state, message.clock, now),
        legal: listOf(message.legal),
        conditional: message.conditional ?? [],
      };
    case 'conditional':
      return { ...state, conditional: message.steps };
    case 'error':
      return message.id === state.sent?.id ? { ...state, sent: null } : state;
    case 'ok':
    case 'wait':
    case 'restart':
    case 'notice':
    case 'ping':
    case 'pong':
    case 'reload':
      return state;
    default:
      return message.v <= state.v ? state : { ...happened(withClockOf(state, message, now), message), v: message.v };
  }
}

/** @param {GameState} state @param {Clocks} clock @param {number} now */
const withClock = (state, clock, now) => ({ ...state, clock, clockAt: now, heldAt: null });

/** @param {GameState} state @param {GameEvent} event @param {number} now */
const withClockOf = (state, event, now) => ('clock' in event ? withClock(state, event.clock, now) : state);

/** @param {GameState} state with the clocks of the event, if it brings any @param {GameEvent} event @returns {GameState} */
function happened(state, event) {
  switch (event.t) {
    case 'joined':
      return joined(state, event);
    case 'moved':
      return moved(state, event);
    case 'took_back':
      return tookBack(state, event);
    case 'offered': {
      const { offer, kind, by } = event;
      return { ...state, offers: [...state.offers.filter(open => open.offer !== offer), { offer, kind, by }] };
    }
    case 'offer_closed':
      return { ...state, offers: state.offers.filter(({ offer }) => offer !== event.offer) };
    case 'over':
      return over(state, event);
    case 'clock':
      return resumed(state, event);
    case 'flagging':
      return { ...state, byHand: bothSides(event.by_hand) };
    case 'adjourned':
      return { ...state, status: 'adjourned', adjourned: event.adjourned, legal: null };
    case 'vacation':
      return { ...state, away: event.away ?? null };
    case 'rematch':
      return { ...state, next: event.next };
    case 'rated':
      return { ...state, ratings: { white: event.white ?? null, black: event.black ?? null } };
    case 'said':
      return { ...state, chat: [...state.chat, event.line] };
    default:
      // It changes no more than the clocks.
      return state;
  }
}

/** @param {GameState} state @param {Joined} event @returns {GameState} */
function joined(state, event) {
  const seats = { ...state.seats, [event.side]: event.seat };
  const full = Boolean(seats.white.name && seats.black.name);
  // A seat can change hands, or its player their name, at any time during the game.
  const status = state.status === 'open' && full ? 'live' : state.status;
  // A watcher could have taken the seat by moving; now somebody has it.
  const legal = full && state.you === null ? null : state.legal;
  // Of two who were asked to play each other, the other is asked now.
  const asked = event.side === 'white' ? (state.askedNext ?? state.asked) : state.asked;
  return { ...state, status, seats, legal, asked, askedNext: null, invited: state.invited && !full };
}

/** @param {GameState} state @param {Over} event @returns {GameState} */
const over = (state, { ended }) => ({
  ...state,
  status: 'over',
  ended,
  legal: null,
  sent: null,
  offers: [],
  canAbort: false,
  invited: false,
  adjourned: null,
  away: null,
});

/** Ends an adjournment; any other game stays the same.
 * @param {GameState} state @param {ClockSet} event @returns {GameState} */
const resumed = (state, { clock, legal }) =>
  state.adjourned && clock.paused !== 'adjourned'
    ? { ...state, status: 'live', adjourned: null, legal: listOf(legal) }
    : state;

/** @param {GameState} state @param {Moved} event */
function moved(state, { ply, uci, san, fen, check, clock, legal, left: ofDays }) {
  const left = ofDays ?? clock[moverOf(state, ply)] ?? null;
  return {
    ...state,
    plies: [...state.plies.slice(0, ply), { uci, san, left, fen }],
    fen,
    check: check === 1,
    legal: listOf(legal),
    canAbort: state.canAbort && ply + 1 < PLIES_TO_ABORT,
    sent: state.sent && state.sent.ply > ply ? state.sent : null,
  };
}

/** @param {GameState} state @param {TookBack} event */
function tookBack(state, { plies, fen, check, legal }) {
  return {
    ...state,
    plies: state.plies.slice(0, plies),
    fen,
    check,
    legal: listOf(legal),
    sent: null,
  };
}
