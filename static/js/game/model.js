/**
 * The game as this page knows it: a value, and a pure function from that and a message of the server to the next value.
 * The browser judges nothing; a move that it has sent is kept apart in `sent` until the server answers.
 *
 * @import { GameEvent, Side } from '../net/messages.js'
 * @import { Adjournment, Away, ChatLine, ClockSet, Clocks, Ended, GameOutbound, Joined } from '../net/wire.js'
 * @import { Moved, OpenOffer, PlayerRating, PresenceOut, Seat, Snapshot, TookBack } from '../net/wire.js'
 * @typedef {{uci: string, san: string, left: number | null, fen: string | null}} Ply   fen: the position after it, if known
 *
 * @typedef {object} GameState
 * @property {string} epoch
 * @property {number} v   the last known event
 * @property {string} id
 * @property {boolean} chess960
 * @property {boolean} rated
 * @property {Side | null} you
 * @property {'open' | 'live' | 'adjourned' | 'over'} status
 * @property {Record<Side, Seat>} seats
 * @property {Record<Side, PlayerRating | null>} ratings   in games of this category
 * @property {string} startFen
 * @property {string} fen
 * @property {boolean} check
 * @property {Ply[]} plies
 * @property {string[] | null} legal   UCI; null: not our turn
 * @property {Clocks} clock   as the server sent it
 * @property {number} clockAt   when it arrived, by this browser's performance.now()
 * @property {number | null} heldAt   when the server announced that it restarts; null again once it has sent new clocks
 * @property {Record<Side, number | null>} initial   ms
 * @property {Record<Side, number>} increment   ms
 * @property {number | null} days   for each move
 * @property {number | null} cap   ms, the most that a time bank holds
 * @property {OpenOffer[]} offers
 * @property {Ended | null} ended
 * @property {string | null} next   the rematch
 * @property {(string | number)[]} conditional   this person's conditional moves, as steps
 * @property {boolean} canAbort
 * @property {ChatLine[]} chat
 * @property {Record<Side, boolean>} byHand   who says themselves what comes of their opponent's fallen flag
 * @property {Adjournment | null} adjourned   since when, and who is ready to resume
 * @property {Away | null} away   who is on vacation, and until when
 * @property {Seat | null} asked   the only player who may take the free seat; of two free seats, White's
 * @property {Seat | null} askedNext   the only player who may take Black's seat, if both are free
 * @property {boolean} invited   a seat is free for whoever has the link
 * @property {PresenceOut | null} crowd
 * @property {number} crowdAt   when it arrived, performance.now()
 * @property {{id: number, ply: number, uci: string, at: number} | null} sent   our move, not acknowledged yet
 */
import { opposite } from '../board/variant.js';

/** From then on a player can only resign (server: games/status). */
const PLIES_TO_ABORT = 2;

/** @param {string | undefined} legal @returns {string[] | null} */
const listOf = legal => (legal === undefined || legal === null ? null : legal.split(' ').filter(Boolean));

/** @param {string} fen @returns {Side} */
export const turnOf = fen => (fen.split(' ')[1] === 'b' ? 'black' : 'white');

/** @param {GameState} state @param {number} index of a half-move, from 0 @returns {Side} who makes it */
export const moverOf = ({ startFen }, index) => (index % 2 ? opposite(turnOf(startFen)) : turnOf(startFen));

/** @param {GameState} state @returns {Side} */
export const turn = state => turnOf(state.fen);

/** @param {GameState} state whether it is our turn and we have not sent a move */
export const isMyTurn = state => state.you !== null && state.legal !== null && !state.sent && !state.ended;

/**
 * @param {Snapshot} snapshot @param {number} now performance.now()
 * @param {GameState | null} before what was known: positions already seen, who is present and a move that was sent are kept
 * @returns {GameState}
 */
export function fromSnapshot(snapshot, now, before = null) {
  const plies = pliesOf(snapshot, before);
  const sent = before?.sent && plies.length <= before.sent.ply && !snapshot.ended ? before.sent : null;
  return {
    epoch: snapshot.epoch,
    v: snapshot.v,
    id: snapshot.game,
    chess960: snapshot.chess960,
    rated: snapshot.rated,
    you: snapshot.you ?? null,
    status: snapshot.status,
    seats: { white: snapshot.white, black: snapshot.black },
    ratings: { white: snapshot.white_strength ?? null, black: snapshot.black_strength ?? null },
    startFen: snapshot.start_fen,
    fen: snapshot.fen,
    check: snapshot.check,
    plies,
    legal: listOf(snapshot.legal),
    clock: snapshot.clock,
    clockAt: now,
    heldAt: null,
    initial: { white: snapshot.initial[0], black: snapshot.initial[1] },
    increment: { white: snapshot.increment[0], black: snapshot.increment[1] },
    days: snapshot.days ?? null,
    cap: snapshot.cap ?? null,
    offers: snapshot.offers,
    ended: snapshot.ended ?? null,
    next: snapshot.next ?? null,
    conditional: snapshot.conditional ?? [],
    canAbort: snapshot.can_abort,
    chat: snapshot.chat,
    invited: snapshot.invited,
    byHand: bothSides(snapshot.by_hand ?? [false, false]),
    adjourned: snapshot.adjourned ?? null,
    away: snapshot.away ?? null,
    asked: snapshot.asked ?? null,
    askedNext: snapshot.asked_next ?? null,
    crowd: before?.crowd ?? null,
    crowdAt: before?.crowdAt ?? now,
    sent,
  };
}

/** @param {[boolean, boolean]} values @returns {Record<Side, boolean>} */
const bothSides = ([white, black]) => ({ white, black });

/** Positions of moves that the page had already are kept. @param {Snapshot} snapshot @param {GameState | null} before */
function pliesOf({ moves, fen }, before) {
  const plies = moves.map(([uci, san, left]) => ({ uci, san, left, fen: /** @type {string | null} */ (null) }));
  for (const [index, ply] of plies.entries()) {
    const known = before?.plies[index];
    if (known?.uci !== ply.uci) break;
    ply.fen = known.fen;
  }
  if (plies.length) plies[plies.length - 1].fen = fen;
  return plies;
}

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
      return { ...state, crowd: message, crowdAt: now };
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
      return message.v <= state.v ? state : { ...happened(state, message, now), v: message.v };
  }
}

/** @param {GameState} state @param {Clocks} clock @param {number} now */
const withClock = (state, clock, now) => ({ ...state, clock, clockAt: now, heldAt: null });

/** @param {GameState} state @param {GameEvent} event @param {number} now @returns {GameState} */
function happened(state, event, now) {
  switch (event.t) {
    case 'joined':
      return joined(state, event, now);
    case 'moved':
      return moved(state, event, now);
    case 'took_back':
      return tookBack(state, event, now);
    case 'offered': {
      const { offer, kind, by } = event;
      return { ...state, offers: [...state.offers.filter(open => open.offer !== offer), { offer, kind, by }] };
    }
    case 'offer_closed':
      return { ...state, offers: state.offers.filter(({ offer }) => offer !== event.offer) };
    case 'over':
      return {
        ...withClock(state, event.clock, now),
        status: 'over',
        ended: event.ended,
        legal: null,
        sent: null,
        offers: [],
        canAbort: false,
        invited: false,
        adjourned: null,
        away: null,
      };
    case 'clock':
      return resumed(withClock(state, event.clock, now), event);
    case 'flagging':
      return { ...state, v: event.v, byHand: bothSides(event.by_hand) };
    case 'adjourned':
      return {
        ...withClock(state, event.clock, now),
        status: 'adjourned',
        adjourned: event.adjourned,
        legal: null,
      };
    case 'vacation':
      return { ...withClock(state, event.clock, now), away: event.away ?? null };
    case 'rematch':
      return { ...state, next: event.next };
    case 'rated':
      return { ...state, ratings: { white: event.white ?? null, black: event.black ?? null } };
    case 'said':
      return { ...state, chat: [...state.chat, event.line] };
    case 'nothing':
      return state;
  }
}

/** @param {GameState} state @param {Joined} event @param {number} now @returns {GameState} */
function joined(state, event, now) {
  const seats = { ...state.seats, [event.side]: event.seat };
  const full = Boolean(seats.white.name && seats.black.name);
  // A seat can change hands, or its player their name, at any time during the game.
  const status = state.status === 'open' && full ? 'live' : state.status;
  // A watcher could have taken the seat by moving; now somebody has it.
  const legal = full && state.you === null ? null : state.legal;
  // Of two who were asked to play each other, the other is asked now.
  const asked = event.side === 'white' ? (state.askedNext ?? state.asked) : state.asked;
  const after = { ...withClock(state, event.clock, now), status, seats, legal, asked, askedNext: null };
  return { ...after, invited: state.invited && !full };
}

/** Ends an adjournment; any other game stays the same.
 * @param {GameState} state @param {ClockSet} event @returns {GameState} */
const resumed = (state, { clock, legal }) =>
  state.adjourned && clock.paused !== 'adjourned'
    ? { ...state, status: 'live', adjourned: null, legal: listOf(legal) }
    : state;

/** @param {GameState} state @param {Moved} event @param {number} now */
function moved(state, { ply, uci, san, fen, check, clock, legal }, now) {
  const left = clock[moverOf(state, ply)] ?? null;
  return {
    ...withClock(state, clock, now),
    plies: [...state.plies.slice(0, ply), { uci, san, left, fen }],
    fen,
    check: check === 1,
    legal: listOf(legal),
    canAbort: state.canAbort && ply + 1 < PLIES_TO_ABORT,
    sent: state.sent && state.sent.ply > ply ? state.sent : null,
  };
}

/** @param {GameState} state @param {TookBack} event @param {number} now */
function tookBack(state, { plies, fen, check, clock, legal }, now) {
  return {
    ...withClock(state, clock, now),
    plies: state.plies.slice(0, plies),
    fen,
    check,
    legal: listOf(legal),
    sent: null,
  };
}

/** The server has announced that it restarts: the clocks stand still until it is back. @param {GameState} state @param {number} now
 * @returns {GameState} */
export const holdClocks = (state, now) => ({ ...state, heldAt: state.heldAt ?? now });

/**
 * With our move, which has just been sent.
 * @param {GameState} state @param {number} id of the command @param {string} uci @param {number} now performance.now()
 * @returns {GameState}
 */
export const withSentMove = (state, id, uci, now) => ({
  ...state,
  sent: { id, ply: state.plies.length, uci, at: now },
});

/**
 * With positions from the server's record of the game.
 * @param {GameState} state @param {(string | null)[]} fens after each half-move
 * @returns {GameState}
 */
export const withFens = (state, fens) => ({
  ...state,
  plies: state.plies.map((ply, index) => ({ ...ply, fen: ply.fen ?? fens[index] ?? null })),
});

/**
 * The seat that is free for whoever has the link.
 * @param {GameState} state @param {Side | null} named the seat that the link names, if it names one
 * @returns {Side | null}
 */
export function freeSeat({ seats, status }, named = null) {
  if (status !== 'open' || (named && seats[named].name)) return null;
  if (named) return named;
  if (!seats.white.name) return 'white';
  return seats.black.name ? null : 'black';
}
