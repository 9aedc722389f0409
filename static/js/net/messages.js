/**
 * The first message of a page on its socket, and short names for parts of the messages, whose types are in wire.d.ts.
 *
 * @import { GameInbound, GameOutbound, Hi, Joined, OpenOffer } from './wire.js'
 * @typedef {Joined['side']} Side
 * @typedef {OpenOffer['kind']} OfferKind
 * @typedef {Exclude<Extract<GameOutbound, {v: number}>, {t: 'ok' | 'snapshot' | 'resumed'}>} GameEvent   numbered consecutively
 * @typedef {Extract<GameInbound, {id: number}>} Request
 * @typedef {Request extends infer R ? R extends Request ? Omit<R, 'id'> : never : never} Command   the socket adds the id
 */

/** The version of the protocol that this page speaks. */
export const PROTOCOL = 1;

/**
 * @param {{id: string, epoch: string, v: number}} state what is known of the game @param {boolean} known false: ask for everything
 * @param {string} secret of the link by which the page was opened, '' without one
 * @returns {Hi}
 */
export const hi = ({ id, epoch, v }, known, secret) => ({
  t: 'hi',
  proto: PROTOCOL,
  game: id,
  epoch: known ? epoch : '',
  v: known ? v : -1,
  ...(secret && { secret }),
});
