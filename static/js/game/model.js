/**
 * The game as this page knows it: a value, made from a snapshot of the server. What later messages make of it is in
 * `reduce.js`. The browser judges nothing; a move that it has sent is kept apart in `sent` until the server answers.
 *
 * @import { Side } from '../net/messages.js'
 * @import { Adjournment, Away, ChatLine, Clocks, Ended, OpenOffer, PlayerRating } from '../net/wire.js'
 * @import { PresenceOut, Seat, Snapshot } from '../net/wire.js'
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
 * @property {string | null} proposedBy   who, though no player, proposes the game to the reader
 * @property {boolean} invited   a seat is free for whoever has the link
 * @property {PresenceOut | null} presence
 * @property {number} presenceAt   when it arrived, performance.now()
 * @property {{id: number, ply: number, uci: string, at: number} | null} sent   our move, not acknowledged yet
 */
import { opposite } from '../board/variant.js';

/** @param {string | undefined} legal as the server lists moves @returns {string[] | null} */
export const listOf = legal => (legal === undefined || legal === null ? null : legal.split(' ').filter(Boolean));

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
    ...clocksOf(snapshot, now),
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
    proposedBy: snapshot.proposed_by ?? null,
    presence: before?.presence ?? null,
    presenceAt: before?.presenceAt ?? now,
    sent,
  };
}

/** @param {Snapshot} snapshot @param {number} now */
const clocksOf = ({ clock, initial, increment, days, cap }, now) => ({
  clock,
  clockAt: now,
  heldAt: null,
  initial: { white: initial[0], black: initial[1] },
  increment: { white: increment[0], black: increment[1] },
  days: days ?? null,
  cap: cap ?? null,
});

/** @param {[boolean, boolean]} values @returns {Record<Side, boolean>} */
export const bothSides = ([white, black]) => ({ white, black });

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

/** The side whose seat the computer has; null: neither. @param {GameState} state @returns {Side | null} */
export const computerSide = ({ seats }) => (seats.white.level ? 'white' : seats.black.level ? 'black' : null);

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
 * With positions from the game's JSON.
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
