/**
 * One running game of the reader: its board, small and from their side, and in words against whom, which variant, and how
 * it stands. For the front page and for what stands beside the board of another game. Knows no page.
 *
 * @import { YourGame } from '../net/wire.js'
 * @import { TvVariant } from '../tv/tv_game.js'
 */
import { styleBoard } from '../../pieces/board_style.mjs';
import { lastMoveSquares } from '../board/position.js';
import { smallBoard } from '../board/small_board.js';
import { hoursLeft } from '../game/clock.js';
import { dayInWords } from '../ui/dates.js';
import { create, createLink } from '../ui/dom.js';
import { personName, t } from '../words.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What is left, in the largest unit of what the clock of the game shows: "3 d", "7 h", "12 min". @param {number} ms */
export function shortTime(ms) {
  if (ms >= DAY) return `${Math.floor(hoursLeft(ms) / 24)} d`;
  return ms >= HOUR ? `${Math.floor(ms / HOUR)} h` : `${Math.max(0, Math.floor(ms / MINUTE))} min`;
}

/** Whose turn it is and for how long, or who is ready to resume. @param {YourGame} game */
export function stateWords({ live, turn, adjourned, away, claimable, left }) {
  if (adjourned) return t(adjourned === 'nobody' ? 'lobby.adjourned' : `lobby.adjourned_${adjourned}`);
  if (claimable) return t('lobby.claimable');
  const whose = t(live ? 'lobby.live_now' : turn ? 'lobby.your_turn' : 'lobby.their_turn');
  if (away) return `${whose} · ${t('vacation.away_until', { day: dayInWords(away - 1) })}`;
  return left === undefined ? whose : `${whose} · ${shortTime(left)}`;
}

/** Whether the game waits for this player. @param {YourGame} game */
export const isUrgent = ({ live, turn, adjourned, claimable }) =>
  Boolean(live || turn || claimable || adjourned === 'opponent');

/** @param {YourGame} game @param {TvVariant | undefined} variant undefined: this page cannot draw it */
export function gameTile(game, variant) {
  const called = `${variant?.name ?? game.variant}${game.chess960 ? ' 960' : ''}`;
  const words = [
    create('b', '', game.by ? personName(game.by) : t('lobby.friend_awaited')),
    create('span', '', called),
    create('small', '', game.by ? stateWords(game) : ''),
  ];
  const picture = create('span', 'tile-picture');
  if (variant && game.board) {
    styleBoard(picture, variant);
    picture.append(smallBoard(game.board, variant, lastMoveSquares(game.last), game.black === 1));
  }
  const link = createLink(
    `game-tile${isUrgent(game) ? ' waits' : ''}`,
    `/${game.id}`,
    picture,
    create('span', 'tile-words', ...words),
  );
  return create('li', '', link);
}
