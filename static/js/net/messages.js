/**
 * The shapes of what goes over the wire; the truth is server/realtime/protocol/outbound.py and inbound.py, published at /api/protocol.
 * The server leaves out what is null. Times are ms.
 *
 * @typedef {'white' | 'black'} Side
 * @typedef {'draw' | 'takeback' | 'rematch' | 'adjourn'} OfferKind
 * @typedef {{white?: number | null, black?: number | null, run?: Side | null, paused?: 'restart' | 'adjourned' | null,
 *   begin?: number | null}} Clocks   begin: how long the first move may still take
 * @typedef {{id?: string | null, name?: string | null, deleted?: 1}} Seat   deleted: the account is no more
 * @typedef {{offer: number, kind: OfferKind, by: Side}} OpenOffer
 * @typedef {{at: number, white?: number | null, black?: number | null, claim?: [Side, number] | null}} Adjournment   ms since the epoch
 * @typedef {{room: 'players' | 'watchers', name: string, text: string, at: number}} ChatLine
 * @typedef {{rating: number, provisional: boolean, change?: number | null}} Strength   before the game, and what it did
 * @typedef {{result: string, winner?: Side | null, reason: string}} Ended
 * @typedef {{here: 'here' | 'lost' | 'left' | 'away', lag?: number | null, since?: number | null, claim_in?: number | null}} Presence
 *
 * @typedef {object} Snapshot
 * @property {'snapshot'} t
 * @property {string} epoch
 * @property {number} v
 * @property {string} game
 * @property {string} variant
 * @property {boolean} chess960
 * @property {boolean} rated
 * @property {Side | null} [you]
 * @property {'open' | 'live' | 'adjourned' | 'over'} status
 * @property {Seat} white
 * @property {Seat} black
 * @property {string} start_fen
 * @property {string} fen
 * @property {boolean} check
 * @property {Side} turn
 * @property {[string, string, number | null][]} moves   uci, san, ms left to the mover
 * @property {string} [legal]   UCI, separated by blanks; only to the player who is to move
 * @property {Clocks} clock
 * @property {[number | null, number | null]} initial
 * @property {[number, number]} increment
 * @property {number | null} [days]
 * @property {OpenOffer[]} offers
 * @property {Ended | null} [ended]
 * @property {string | null} [next]
 * @property {boolean} can_abort
 * @property {ChatLine[]} chat
 * @property {boolean} invited
 * @property {Adjournment | null} [adjourned]
 * @property {Seat | null} [asked]   who was challenged by name
 * @property {Strength | null} [white_strength]
 * @property {Strength | null} [black_strength]
 *
 * @typedef {{t: 'joined', v: number, side: Side, seat: Seat, clock: Clocks}} Joined
 * @typedef {{t: 'moved', v: number, ply: number, uci: string, san: string, fen: string, check?: 1, clock: Clocks,
 *   lag?: number, legal?: string}} Moved
 * @typedef {{t: 'took_back', v: number, plies: number, fen: string, check: boolean, clock: Clocks, legal?: string}} TookBack
 * @typedef {{t: 'offered', v: number, offer: number, kind: OfferKind, by: Side}} Offered
 * @typedef {{t: 'offer_closed', v: number, offer: number, kind: OfferKind, how: 'accepted' | 'declined' | 'lapsed'}} OfferClosed
 * @typedef {{t: 'over', v: number, ended: Ended, clock: Clocks}} Over
 * @typedef {{t: 'clock', v: number, why: 'restart' | 'resumed' | 'stall' | 'begin', clock: Clocks, legal?: string}} ClockSet
 * @typedef {{t: 'adjourned', v: number, adjourned: Adjournment, clock: Clocks}} Adjourned
 * @typedef {{t: 'rematch', v: number, next: string}} Rematch
 * @typedef {{t: 'rated', v: number, white?: Strength | null, black?: Strength | null}} Rated
 * @typedef {{t: 'said', v: number, line: ChatLine}} Said
 * @typedef {{t: 'nothing', v: number}} Nothing
 * @typedef {Joined | Moved | TookBack | Offered | OfferClosed | Over | ClockSet | Adjourned | Rematch | Rated | Said
 *   | Nothing} GameEvent
 *
 * @typedef {{t: 'resumed', v: number, clock: Clocks, legal?: string}} Resumed
 * @typedef {{t: 'crowd', white: Presence, black: Presence, watchers: number, invited?: boolean,
 *   resume_in?: number | null}} Crowd   resume_in: ms until clocks that stand since a restart go on
 * @typedef {{t: 'ok', id: number, v: number, dup?: boolean}} Ok
 * @typedef {{t: 'error', id?: number, code: string, message: string, v?: number}} ErrorReply
 * @typedef {{t: 'wait', id: number, why: 'storage'}} Wait
 * @typedef {{t: 'restart', within: number}} Restart
 * @typedef {{t: 'ping', p: string} | {t: 'pong'} | {t: 'reload'}} LineMessage
 * @typedef {Snapshot | GameEvent | Resumed | Crowd | Ok | ErrorReply | Wait | Restart | LineMessage} ServerMessage
 *
 * @typedef {{t: 'move', ply: number, uci: string}
 *   | {t: 'resign'} | {t: 'abort'}
 *   | {t: 'offer', kind: OfferKind}
 *   | {t: 'accept', offer: number} | {t: 'decline', offer: number}
 *   | {t: 'ready'}
 *   | {t: 'claim', result: 'win' | 'draw'}
 *   | {t: 'chat', text: string}} Command   sent with an `id`
 */

/** The version of the protocol that this page speaks. */
export const PROTOCOL = 1;

/**
 * @param {{id: string, epoch: string, v: number}} state what is known of the game @param {boolean} known false: nothing is
 * @param {string} secret of the link by which the page was opened, '' without one
 */
export const hi = ({ id, epoch, v }, known, secret) => ({
  t: 'hi', proto: PROTOCOL, game: id, epoch: known ? epoch : '', v: known ? v : -1, ...(secret && { secret }),
});
