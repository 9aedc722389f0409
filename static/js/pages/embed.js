/**
 * A game, or TV of one variant, in a frame of another site. The server has drawn the board as it stood; this follows the game
 * while it goes on, and steps through it once it is over. It sends nothing but that it is here, and keeps nothing.
 *
 * @import { Board, Clocks, TvOutbound } from '../net/wire.js'
 * @import { Drawn } from '../embed/drawn_position.js'
 *
 * @typedef {object} Facts
 * @property {string | null} game   null: TV
 * @property {string} variant
 * @property {boolean} over
 * @property {string[]} pawns   roles
 * @property {Drawn} drawn
 * @property {Record<string, string>} words   what the pages of this site have in a script of its own
 * @typedef {{san: string, uci: string, fen: string}} Move   `fen`: the position after it
 */
import { drawPosition } from '../embed/drawn_position.js';
import { checksWords, halfMovesBefore, lastMoveSquares, moveNumber, parseFen } from '../board/position.js';
import { opposite } from '../board/variant.js';
import { formatClock } from '../game/clock.js';
import { PROTOCOL } from '../net/messages.js';
import { openWithPage, socketAddress } from '../net/page_socket.js';
import { Socket } from '../net/socket.js';
import { buttonById, byId, pageFacts, setText } from '../ui/dom.js';
import { personName, t, useTexts } from '../words.js';

const TICK_MS = 200;
/** How long the end of a game stays on TV. */
const RESULT_MS = 10_000;
const SIDES = /** @type {const} */ (['white', 'black']);
const KEYS = { ArrowLeft: 'back', ArrowRight: 'on', Home: 'first', End: 'last' };

/** @type {Facts} */
const { game, variant, over, pawns, drawn, words } = pageFacts();
useTexts(words);
const { style } = document.documentElement;
style.setProperty('--files', String(drawn.width));
style.setProperty('--ranks', String(drawn.height));

/** Games to show, the best first; of TV, those that wait, too. `at`: when its clocks were told. @type {Map<string, Board & {at: number}>} */
const games = new Map();
/** The game on the board. */
let shown = '';
/** @type {Clocks} */
let clock = {};
let clockAt = performance.now();

/** @param {'white' | 'black'} side @param {string} kind @returns {HTMLElement} */
const part = (side, kind) => /** @type {HTMLElement} */ (byId(side).querySelector(kind));

/** @param {string} fen @param {string | null | undefined} last its last move, UCI */
const draw = (fen, last) => drawPosition(drawn, fen, lastMoveSquares(last));

/**
 * Tells a move to whoever hears the frame, as far as the positions say what it was: "12... Nf6", and where checks are counted
 * how many there have been once it gives one. @param {string} fen @param {string | null | undefined} last @param {string} before
 */
function say(fen, last, before) {
  const [target] = lastMoveSquares(last).slice(-1);
  if (!target) return;
  const position = parseFen(fen);
  const role = position.pieces.get(target)?.role ?? '';
  const letter = pawns.includes(role) ? '' : role.toUpperCase();
  const mover = opposite(position.turn);
  const isCounted = position.toCheck?.[mover] !== parseFen(before).toCheck?.[mover];
  const counted = isCounted ? `. ${checksWords(drawn, position, mover)}` : '';
  setText(byId('heard'), `${moveNumber(halfMovesBefore(fen) - 1, true)} ${letter}${target}${counted}`);
}

function tick() {
  for (const side of SIDES) {
    const left = clock[side] ?? null;
    const gone = clock.run === side ? performance.now() - clockAt : 0;
    setText(part(side, '.clock'), left === null ? '' : formatClock(Math.max(0, left - gone)));
    part(side, '.clock').classList.toggle('runs', clock.run === side);
  }
}

/** @param {Clocks} now @param {number} [at] when they were told */
function setClock(now, at = performance.now()) {
  clock = now;
  clockAt = at;
  tick();
}

/** Shows the first of the games, or that there is none. */
function showFirst() {
  const [board] = games.values();
  shown = board?.game ?? '';
  for (const [at, side] of SIDES.entries()) {
    setText(part(side, '.name'), board ? personName(board[side]) : '');
    setText(part(side, 'small'), board?.ratings?.[at] ?? '');
  }
  setText(byId('state'), board ? t('embed.live') : '');
  setText(byId('waiting'), board ? '' : t('watch.empty_variant'));
  setClock(board?.clock ?? {}, board?.at);
  if (board) draw(board.fen, board.last);
  if (game) return;
  const path = board ? `/${board.game}` : `/watch/${variant}`;
  /** @type {HTMLAnchorElement} */ (byId('game-link')).href = new URL(path, location.href).href;
}

/** @param {string | undefined} result as in PGN; undefined: it has been adjourned or deleted @param {Clocks} left */
function end(result, left) {
  setClock({ ...left, run: undefined });
  // As the page that the server draws: a game without a result has none.
  setText(byId('state'), result === '*' ? '' : (result?.replace('1/2-1/2', '½-½') ?? ''));
  if (!game) setTimeout(showFirst, RESULT_MS);
  else if (result) {
    socket.stop();
    stepThrough();
  }
}

/** Shows the buttons to step through a game that is over, at its end. Its moves are loaded at the first step, without a cookie. */
function stepThrough() {
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

/** @param {TvOutbound} message */
function receive(message) {
  switch (message.t) {
    case 'boards':
      games.clear();
      for (const board of message.boards) games.set(board.game, { ...board, at: performance.now() });
      showFirst();
      break;
    case 'board_added':
      games.set(message.board.game, { ...message.board, at: performance.now() });
      // The end of the game before stays for its time.
      if (!shown) showFirst();
      break;
    case 'board_moved': {
      const before = games.get(message.game);
      if (before) games.set(message.game, { ...before, ...message, at: performance.now() });
      if (!before || message.game !== shown) break;
      draw(message.fen, message.last);
      say(message.fen, message.last, before.fen);
      setClock(message.clock);
      break;
    }
    case 'board_gone':
      games.delete(message.game);
      if (message.game === shown) end(message.result, message.clock ?? {});
      if (game && !message.clock) setText(byId('waiting'), t('embed.no_game'));
      break;
  }
}

const socket = new Socket({
  url: socketAddress('/ws/embed'),
  greeting: () => ({ t: 'hi', proto: PROTOCOL, ...(game ? { game } : { variant }) }),
  onMessage: receive,
  onState: state => {
    const lost = state !== 'open' && state !== 'connecting';
    setText(byId('waiting'), state === 'deleted' ? t('embed.no_game') : lost ? t('site.disconnected') : '');
  },
  // The frame would be loaded anew at each release; it understands what it was made for.
  reload: () => false,
});
if (game && over) stepThrough();
else {
  openWithPage(socket);
  setInterval(tick, TICK_MS);
}
