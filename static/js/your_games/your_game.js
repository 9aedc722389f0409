/**
 * What a running game of the reader says of itself: whether it waits for them, and for how long. Knows no element.
 *
 * @import { YourGame } from '../net/wire.js'
 */
import { hoursLeft } from '../game/clock.js';
import { dayInWords } from '../ui/times.js';
import { t } from '../words.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What is left, in the largest unit of what the clock of the game shows: "3 d", "7 h", "12 min". @param {number} ms */
export function timeLeft(ms) {
  if (ms >= DAY) return `${Math.floor(hoursLeft(ms) / 24)} d`;
  return ms >= HOUR ? `${Math.floor(ms / HOUR)} h` : `${Math.max(0, Math.floor(ms / MINUTE))} min`;
}

/** Whose turn it is and for how long, or who is ready to resume. @param {YourGame} game */
export function stateWords({ live, to_move, turn, adjourned, away, claimable, left }) {
  if (adjourned) return t(adjourned === 'nobody' ? 'lobby.adjourned' : `lobby.adjourned_${adjourned}`);
  if (claimable) return t('lobby.claimable');
  if (live) return to_move ? `${t('lobby.live_now')} · ${t('lobby.your_turn')}` : t('lobby.live_now');
  const whose = t(turn ? 'lobby.your_turn' : 'lobby.their_turn');
  if (away) return `${whose} · ${t('vacation.away_until', { day: dayInWords(away - 1) })}`;
  return left === undefined ? whose : `${whose} · ${timeLeft(left)}`;
}

/** Whether the game waits for this player. @param {YourGame} game */
export const isUrgent = ({ live, turn, adjourned, claimable }) =>
  Boolean(live || turn || claimable || adjourned === 'opponent');
