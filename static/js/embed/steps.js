/** Steps through a game that is over: its moves are loaded at the first step. Sends no cookie. */
import { halfMovesBefore, moveNumber } from '../board/position.js';
import { buttonById, byId, setText } from '../ui/dom.js';
import { t } from '../words.js';

/** @typedef {{san: string, uci: string, fen: string}} Move   `fen`: the position after it */

const KEYS = { ArrowLeft: 'back', ArrowRight: 'on', Home: 'first', End: 'last' };

/**
 * Shows the buttons, at the end of the game.
 * @param {string} game its id @param {(fen: string, last: string | null) => void} draw
 */
export function stepThrough(game, draw) {
  const [first, back, on, last] = ['first', 'back', 'on', 'last'].map(buttonById);
  /** @type {Promise<{start_fen: string, moves: Move[]}> | null} */
  let loading = null;
  /** How many half-moves are on the board; none known before they are loaded: all. */
  let at = Infinity;

  const load = async () => {
    const answer = await fetch(`/api/games/${game}`, { credentials: 'omit' });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  };

  const allow = (/** @type {number} */ most) => {
    first.disabled = back.disabled = at <= 0;
    on.disabled = last.disabled = at >= most;
  };

  /** @param {(at: number, most: number) => number} to */
  const step = async to => {
    loading ??= load();
    try {
      const { start_fen: start, moves } = await loading;
      at = Math.max(0, Math.min(moves.length, to(Math.min(at, moves.length), moves.length)));
      const move = moves[at - 1];
      draw(move?.fen ?? start, move?.uci ?? null);
      const number = moveNumber(halfMovesBefore(start) + at - 1, true);
      setText(byId('says'), move ? `${number} ${move.san}` : t('embed.at_start'));
      allow(moves.length);
    } catch {
      loading = null;
      setText(byId('says'), t('embed.no_moves'));
    }
  };

  first.addEventListener('click', () => void step(() => 0));
  back.addEventListener('click', () => void step(now => now - 1));
  on.addEventListener('click', () => void step(now => now + 1));
  last.addEventListener('click', () => void step((_, most) => most));
  addEventListener('keydown', event => {
    const id = KEYS[/** @type {keyof typeof KEYS} */ (event.key)];
    if (!id || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    buttonById(id).click();
  });
  allow(at);
  byId('steps').hidden = false;
}
