/**
 * Who is on vacation in a correspondence game, in words: beside a seat, in the box of notices and for the ear.
 *
 * @import { GameState } from '../game/model.js'
 * @import { Side } from '../net/messages.js'
 */
import { dayInWords } from '../ui/times.js';
import { personName, t } from '../words.js';

const SIDES = /** @type {const} */ (['white', 'black']);

/** The last day on which somebody is away who is back at `until`. @param {number} until ms since the epoch */
const lastDay = until => dayInWords(until - 1);

/** @param {GameState} state @param {Side} side @returns {string} "away until 3 August"; '' for who is not */
export function awayWords({ away }, side) {
  const until = away?.[side];
  return until ? t('vacation.away_until', { day: lastDay(until) }) : '';
}

/** @param {GameState} state @returns {string} '' while nobody is away */
export function vacationWords({ away, seats, you }) {
  const sentences = SIDES.flatMap(side => {
    const until = away?.[side];
    if (!until) return [];
    const day = lastDay(until);
    return side === you
      ? t('vacation.you_are', { day })
      : t('vacation.they_are', { day, name: personName(seats[side].name ?? '?') });
  });
  return sentences.length ? [...sentences, t('vacation.stands')].join(' ') : '';
}
