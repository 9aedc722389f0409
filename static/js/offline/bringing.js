/**
 * Brings a game that was played offline to the server, as often as it takes: it is known there by its id. For pages and for
 * the service worker.
 *
 * @import { OfflineGame } from './game.js'
 * @import { KeptGames } from './kept_games.js'
 *
 * @typedef {'there' | 'later' | OfflineGame} Brought   there: the server has all of it, and this browser keeps it no longer; a
 *   game: the server refuses it, and this browser keeps it so
 */
import { idThere } from './beginning.js';

const PATIENCE_MS = 8_000;
const LONGEST_AGO_MS = 366 * 86_400_000;
/** Answers that say nothing of the game itself. */
const LATER = new Set([408, 429]);

/** What the server is told of it. @param {OfflineGame} game @param {number} now ms since the epoch */
export function told({ variant, chess960, startFen, color, level, moves, end, begun, played }, now) {
  const ago = (/** @type {number} */ at) => Math.min(Math.max(0, Math.round(now - at)), LONGEST_AGO_MS);
  return {
    ...{ variant, chess960, fen: startFen, color, computer: level, end },
    ...{ moves: moves.map(([uci]) => uci), begun: Math.max(ago(begun), ago(played)), played: ago(played) },
  };
}

/** A game that was called off, or in which nobody has moved, needs no telling. @param {OfflineGame} game */
export const isWorthKeeping = ({ moves, ended }) => moves.length > 0 && ended?.reason !== 'abort';

/** Whether this browser has a guest or an account: one that got its first cookie with an answer that was lost would be another
 * person than the one who has the game. @param {typeof fetch} send */
async function isSomebody(send) {
  const answer = await send('/api/guest', { method: 'POST', signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
    () => null,
  );
  const said = await answer?.json().catch(() => null);
  return Boolean(answer?.ok && said?.id);
}

/**
 * @param {OfflineGame} game @param {KeptGames} kept
 * @param {typeof fetch} send @param {number} now ms since the epoch @returns {Promise<Brought>}
 */
export async function bring(game, kept, send, now) {
  if (!isWorthKeeping(game) || !(await isSomebody(send))) return 'later';
  const answer = await send(`/api/games/${game.id}/offline`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(told(game, now)),
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => null);
  // Some networks answer with a page of their own.
  const said = await answer?.json().catch(() => null);
  if (answer?.ok && said?.id === idThere(game.id)) {
    await kept.remove(game.id);
    return 'there';
  }
  if (!answer || !said?.refusal || answer.status >= 500 || LATER.has(answer.status)) return 'later';
  const refused = { ...game, rev: game.rev + 1, refused: String(said.message) };
  await kept.put(refused);
  return refused;
}
