/**
 * Short names for parts of the messages, whose types `make types` writes to wire.d.ts.
 *
 * @import { GameInbound, GameOutbound, Joined, OpenOffer } from './wire.js'
 * @typedef {Joined['side']} Side
 * @typedef {OpenOffer['kind']} OfferKind
 * @typedef {Exclude<Extract<GameOutbound, {v: number}>, {t: 'ok' | 'snapshot' | 'resumed'}>} GameEvent   numbered consecutively
 * @typedef {Extract<GameInbound, {id: number}>} Request
 * @typedef {Request extends infer R ? R extends Request ? Omit<R, 'id'> : never : never} Command   the socket adds the id
 */

/** The version of the protocol that this page speaks. */
export const PROTOCOL = 1;
