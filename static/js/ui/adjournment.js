/**
 * The box of a game that was put off: who is ready to go on, and what one can do about it. Knows no socket.
 *
 * @typedef {import('../game/model.js').GameState} GameState
 * @typedef {import('../net/messages.js').Command} Command
 */
import { other } from '../board/variant.js';
import { textButton, textElement } from './page.js';

/**
 * @param {GameState} state @param {(command: Command) => void} send @param {number} today ms since the epoch
 * @returns {HTMLElement | null} null when the game is not put off
 */
export function adjournmentBox({ adjourned, you }, send, today) {
  if (!adjourned) return null;
  const box = textElement('div', '', 'offer');
  box.append(textElement('p', words(adjourned, you)));
  if (you && !adjourned[you]) box.append(textButton('I am ready to go on', 'button primary', () => send({ t: 'ready' })));
  if (adjourned.claim && adjourned.claim[0] === you && adjourned.claim[1] <= today)
    box.append(
      textButton('Claim the win', 'button primary', () => send({ t: 'claim', result: 'win' })),
      textButton('Call it a draw', 'button', () => send({ t: 'claim', result: 'draw' })),
    );
  return box;
}

/** @param {import('../net/messages.js').Adjournment} adjourned @param {import('../net/messages.js').Side | null} you */
function words(adjourned, you) {
  const still = 'The game is put off. The clocks stand still.';
  if (!you) return still;
  const mine = adjourned[you];
  const theirs = adjourned[other(you)];
  if (mine && theirs) return `${still} Both of you are ready: it goes on as soon as both of you are here.`;
  if (theirs) return `${still} Your opponent is ready to go on.`;
  if (!mine) return `${still} It goes on when both of you are ready and here.`;
  const day = adjourned.claim && new Date(adjourned.claim[1]).toLocaleDateString();
  return `${still} You are ready; your opponent is not yet.${day ? ` If that stays so, you may claim the game from ${day}.` : ''}`;
}
