/**
 * What happened, in words: results, offers, lines. Pure; knows the wire's words and no element.
 *
 * @typedef {import('../game/model.js').GameState} GameState
 * @typedef {import('../net/messages.js').Side} Side
 * @typedef {import('../net/messages.js').Presence} Presence
 */

/** @param {Side} side */
const named = side => (side === 'white' ? 'White' : 'Black');

/** @type {Record<string, (loser: string) => string>} reason -> how it ended, as far as somebody lost */
const LOSSES = {
  checkmate: () => 'Checkmate',
  stalemate: loser => `Stalemate: ${loser} has no move, which loses here`,
  'bare-king': loser => `${loser} has only the king left`,
  resign: loser => `${loser} resigned`,
  time: loser => `${loser} ran out of time`,
  left: loser => `${loser} left the game`,
};

/** @type {Record<string, string>} */
const DRAWS = {
  stalemate: 'Stalemate',
  insufficient: 'Nobody can mate any more',
  repetition: 'The same position came for the third time',
  'move-rule': 'Fifty moves without a capture or a pawn move',
  agreement: 'Draw agreed',
  time: 'Time ran out, but the opponent cannot mate',
  left: 'One side left, and the other took a draw',
};

/** @type {Record<string, string>} */
const UNFINISHED = { abort: 'The game was aborted', expired: 'The game was not begun in time' };

/**
 * @param {import('../net/messages.js').Ended} ended
 * @returns {string} "1-0. Black ran out of time. White wins."
 */
export function resultWords({ result, winner, reason }) {
  if (result === '*') return `${UNFINISHED[reason] ?? 'The game is over'}. It does not count.`;
  if (!winner) return `½-½. ${DRAWS[reason] ?? 'Draw'}.`;
  const loser = named(winner === 'white' ? 'black' : 'white');
  return `${result}. ${LOSSES[reason]?.(loser) ?? 'Game over'}. ${named(winner)} wins.`;
}

/** @type {Record<import('../net/messages.js').OfferKind, [string, string, string]>} theirs, ours, somebody's */
const OFFERS = {
  draw: ['Your opponent offers a draw.', 'You have offered a draw.', 'offers a draw.'],
  takeback: ['Your opponent asks to take the last move back.', 'You have asked to take your move back.', 'asks to take a move back.'],
  adjourn: ['Your opponent asks to put the game off.', 'You have asked to put the game off.', 'asks to put the game off.'],
  rematch: ['Your opponent wants another game.', 'You have offered another game.', 'offers another game.'],
};

/** @param {import('../net/messages.js').OpenOffer} offer @param {Side | null} you */
export function offerWords({ kind, by }, you) {
  const [theirs, ours, anybodys] = OFFERS[kind];
  return you === null ? `${named(by)} ${anybodys}` : by === you ? ours : theirs;
}

/**
 * How a player's line is.
 * @param {Presence | undefined} presence @param {number} since ms since it was reported
 */
export function presenceWords(presence, since) {
  if (!presence) return '';
  const ago = since < 1000 ? '' : ` ${Math.floor(since / 1000)} s ago`;
  switch (presence.here) {
    case 'here': return presence.lag === undefined || presence.lag === null ? 'here' : `here, lag ${presence.lag} ms`;
    case 'lost': return `line lost${ago}`;
    case 'left': return `has left${ago}`;
    case 'away': return 'not here';
  }
}

/** @type {Record<import('../net/socket.js').LineState, string>} */
const LINES = {
  connecting: '',
  open: '',
  down: 'Your line is down, trying again. A move that you make now is sent when it is back.',
  restarting: 'The server restarts and will be back in a moment. Nobody loses time.',
  outdated: 'This page is older than the server. Please load it again.',
  refused: 'Your session has ended. Please load the page again.',
};

/** @param {import('../net/socket.js').LineState} line @param {GameState} state */
export function lineWords(line, state) {
  if (LINES[line]) return LINES[line];
  if (state.clock.paused === 'restart') return 'The server was away. The clocks stand still until both of you are back.';
  return '';
}
