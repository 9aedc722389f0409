/**
 * What a page says first on its line, and short names for parts of the messages, whose types are in wire.d.ts.
 *
 * @typedef {import('./wire.js').Joined['side']} Side
 * @typedef {import('./wire.js').OpenOffer['kind']} OfferKind
 * @typedef {import('./wire.js').GameOutbound} GameOutbound
 * @typedef {Exclude<Extract<GameOutbound, {v: number}>, {t: 'ok' | 'snapshot' | 'resumed'}>} GameEvent   numbered, one after another
 * @typedef {Extract<import('./wire.js').GameInbound, {id: number}>} Request
 * @typedef {Request extends infer R ? R extends Request ? Omit<R, 'id'> : never : never} Command   the socket adds the number
 */

/** The version of the protocol that this page speaks. */
export const PROTOCOL = 1;

/**
 * @param {{id: string, epoch: string, v: number}} state what is known of the game @param {boolean} known false: nothing is
 * @param {string} secret of the link by which the page was opened, '' without one
 * @returns {import('./wire.js').Hi}
 */
export const hi = ({ id, epoch, v }, known, secret) => ({
  t: 'hi',
  proto: PROTOCOL,
  game: id,
  epoch: known ? epoch : '',
  v: known ? v : -1,
  ...(secret && { secret }),
});
