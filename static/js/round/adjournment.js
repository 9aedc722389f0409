/**
 * The box of an adjourned game: who is ready to resume, and what the reader can do. A correspondence game is paused instead, and
 * goes on as soon as one of its players says so. Knows no socket.
 *
 * @import { GameState } from '../game/model.js'
 * @import { Command } from '../net/messages.js'
 */
import { opposite } from '../board/variant.js';
import { isByDays } from '../game/terms.js';
import { t } from '../words.js';
import { offerBox } from './panel/offer_box.js';
import { createButton } from '../ui/dom.js';

/**
 * @param {GameState} state @param {(command: Command) => void} send @param {number} today ms since the epoch
 * @returns {HTMLElement | null} null: the game is not adjourned
 */
export function adjournmentBox(state, send, today) {
  const { adjourned, you } = state;
  if (!adjourned) return null;
  const buttons = [];
  if (you && !adjourned[you])
    buttons.push(
      createButton('button primary', () => send({ t: 'ready' }), t(isByDays(state) ? 'round.resume' : 'round.ready')),
    );
  if (adjourned.claim && adjourned.claim[0] === you && adjourned.claim[1] <= today) buttons.push(...claimButtons(send));
  return offerBox(adjournmentWords(state, adjourned), buttons);
}

/** @param {(command: Command) => void} send */
export const claimButtons = send => [
  createButton('button primary', () => send({ t: 'claim', result: 'win' }), t('round.claim_win')),
  createButton('button', () => send({ t: 'claim', result: 'draw' }), t('round.claim_draw')),
];

/** Who is ready to resume. @param {GameState} state @param {import('../net/wire.js').Adjournment} adjourned */
export function adjournmentWords(state, adjourned) {
  const { you } = state;
  if (isByDays(state)) return t(you ? 'round.paused' : 'round.paused_watching');
  const still = t('round.adjourned');
  if (!you) return still;
  const mine = adjourned[you];
  const theirs = adjourned[opposite(you)];
  if (mine && theirs) return `${still} ${t('round.adjourned_both')}`;
  if (theirs) return `${still} ${t('round.adjourned_they')}`;
  if (!mine) return `${still} ${t('round.adjourned_nobody')}`;
  const day = adjourned.claim && new Date(adjourned.claim[1]).toLocaleDateString(document.documentElement.lang);
  return `${still} ${t('round.adjourned_you')}${day ? ` ${t('round.adjourned_claim', { day })}` : ''}`;
}
