/**
 * What happened, in words: results, offers, connections, refusals. Pure; knows the words on the wire and no element.
 *
 * @import { GameState } from '../game/model.js'
 * @import { Side } from '../net/messages.js'
 * @import { ConnectionState } from '../net/socket.js'
 * @import { OfferClosed, OpenOffer, SeatPresence as Presence } from '../net/wire.js'
 *
 * @typedef {{state: ConnectionState, reason?: string}} Connectivity
 */
import { opposite } from '../board/variant.js';
import { isLate } from '../game/clock.js';
import { turnOf } from '../game/model.js';
import { isByDays } from '../game/terms.js';
import { has, t } from '../words.js';

/** @param {Side} side @returns {string} the side as part of a sentence */
const named = side => t(side === 'white' ? 'results.white' : 'results.black');

/** @type {Record<string, string>} what is not called as its reason is, of games that somebody lost */
const LOSSES = { stalemate: 'stalemate_loss' };

/** @type {Record<string, string>} the same of draws */
const DRAWS = { time: 'time_draw', left: 'left_draw' };

/**
 * @param {{result: string, winner?: Side | null, reason: string}} ended @param {Side | null} [you] whose seat the reader had
 * @returns {string} "1-0. Black ran out of time. White wins."; to White themselves "… You won."
 */
export function resultWords(ended, you = null) {
  const { result, winner } = ended;
  const how = howWords(ended);
  if (result === '*') return t('results.void', { how });
  if (!winner) return t('results.drawn', { how });
  if (you) return t(you === winner ? 'results.you_won' : 'results.you_lost', { result, how });
  return t('results.won', { result, how, winner: named(winner) });
}

/** @param {{result: string, winner?: Side | null, reason: string, by?: Side | null}} ended @returns {string} "Black ran out of time" */
function howWords({ result, winner, reason, by }) {
  if (by) return t('results.aborted', { side: named(by) });
  const drawn = !winner && result !== '*';
  const key = `results.${(winner ? LOSSES : drawn ? DRAWS : {})[reason] ?? reason.replaceAll('-', '_')}`;
  if (!has(key)) return t(drawn ? 'results.draw' : 'results.over');
  return t(key, winner ? { loser: named(opposite(winner)) } : {});
}

/** Whether the game was aborted because the reader's opponent never came to the board. @param {GameState} state */
const waitedInVain = ({ ended, you, presence }) =>
  ended?.reason === 'expired' && you !== null && presence?.[opposite(you)].here === 'away';

/** Why there is no result, '' if there is one or the game goes on. @param {GameState} state */
function voidWords(state) {
  if (state.ended?.result !== '*') return '';
  return t('results.void', { how: waitedInVain(state) ? t('results.never_came') : howWords(state.ended) });
}

/** How the game ended for its reader, '' while it goes on. @param {GameState} state */
export const endingWords = state =>
  state.ended ? voidWords(state) || withRating(state, resultWords(state.ended, state.you)) : '';

/** A sentence about the end, with why no rating changes, if one was to. @param {GameState} state @param {string} words */
const withRating = ({ ended }, words) => (ended?.unrated ? `${words} ${t('results.unrated')}` : words);

/** The same below `endingTitle`, which has said who won: "1-0. Black ran out of time." @param {GameState} state */
export function endingReason(state) {
  const { ended } = state;
  if (!ended?.winner) return endingWords(state);
  return withRating(state, t('results.why', { result: ended.result, how: howWords(ended) }));
}

/** "You won", "White won", "Draw", "No result". @param {{result: string, winner?: Side | null}} ended @param {Side | null} you */
export function endingTitle({ result, winner }, you) {
  if (result === '*') return t('results.title_void');
  if (!winner) return t('results.draw');
  if (you) return t(winner === you ? 'results.title_won' : 'results.title_lost');
  return t(winner === 'white' ? 'results.title_white' : 'results.title_black');
}

/** @param {OpenOffer} offer @param {Pick<GameState, 'you' | 'fen'>} state */
export function offerWords({ kind, by }, { you, fen }) {
  if (you === null) return t(`round.offers_${kind}`, { side: named(by) });
  const both = kind === 'takeback' && turnOf(fen) === by ? '_both' : '';
  return by === you ? t(`round.offered_${kind}${both}`) : t(`round.offer_${kind}${both}`);
}

/** That the opponent has declined what the reader offered, or has played on; '' for all else.
 * @param {GameState} before @param {OfferClosed} closed */
export function declinedWords({ offers, you }, { offer, how, kind }) {
  const mine = offers.some(open => open.offer === offer && open.by === you);
  if (!mine || how === 'accepted' || (how === 'lapsed' && kind === 'rematch')) return '';
  return how === 'lapsed' ? t(`round.lapsed_${kind}`) : t(`round.declined_${kind}`);
}

/** A lag from here on is noticed by the opponent. */
const SLOW_FROM_MS = 150;

/** A player's connection as others see it. In a game by days people come and go: whoever is away is not missed.
 * @param {Pick<GameState, 'presence' | 'days' | 'cap'>} state @param {Side} side @returns {Presence | undefined} */
export function presenceOf(state, side) {
  const told = state.presence?.[side];
  return told && told.here !== 'here' && isByDays(state) ? { here: 'away' } : told;
}

/** The state of a player's connection. @param {Presence | undefined} presence @param {number} reported ms since it was reported */
export function presenceWords(presence, reported) {
  if (!presence) return '';
  const seconds = Math.floor(((presence.since ?? 0) + reported) / 1000);
  switch (presence.here) {
    case 'here':
      return t((presence.lag ?? 0) < SLOW_FROM_MS ? 'round.here' : 'round.here_slow');
    case 'lost':
      return t(seconds ? 'round.lost_ago' : 'round.lost', { seconds });
    case 'left':
      return t(seconds ? 'round.left_ago' : 'round.left', { seconds });
    case 'elsewhere':
      return t('round.elsewhere');
    case 'away':
      return t('round.away');
  }
}

/** When clocks that a restart of the server has stopped will run again. @param {GameState} state @param {number} now performance.now()
 * @returns {string} '' if they are not stopped, or it is not known yet */
export function resumeWords({ clock, presence, presenceAt, you }, now) {
  const given = presence?.resume_in ?? null;
  if (clock.paused !== 'restart' || given === null) return '';
  const seconds = Math.max(0, Math.ceil((given - (now - presenceAt)) / 1000));
  return t(you ? 'round.goes_on' : 'round.goes_on_watching', { seconds });
}

/** @type {Record<Exclude<Presence['here'], 'here'>, [string, string]>} while the reader has to wait, and when they may claim */
const CLAIMS = {
  left: ['round.claim_soon', 'round.claim_now'],
  lost: ['round.claim_soon_lost', 'round.claim_now_lost'],
  elsewhere: ['round.claim_soon_elsewhere', 'round.claim_now_elsewhere'],
  away: ['round.claim_soon_away', 'round.claim_now_away'],
};

/** What the reader may claim, and why. @param {Presence['here']} here the opponent's connection @param {number} seconds until then */
export function claimWords(here, seconds) {
  const [soon, now] = CLAIMS[here === 'here' ? 'away' : here];
  return seconds > 0 ? t(soon, { seconds }) : t(now);
}

/** @type {Partial<Record<import('../net/socket.js').ConnectionState, string>>} */
const CONNECTIONS = {
  down: 'round.down',
  crowded: 'round.down',
  restarting: 'round.restarting',
  outdated: 'round.outdated',
  refused: 'round.refused',
  deleted: 'round.deleted',
};

/** @param {import('../net/socket.js').ConnectionState} connection whether something is wrong with it */
export const isBroken = connection => connection in CONNECTIONS;

/** Whether this person has moves to make, now or later. @param {GameState} state */
const mayMove = ({ you, status }) => you !== null && (status === 'live' || status === 'open');

/** @param {Connectivity} connectivity how the page is connected @param {GameState} state @param {number} now performance.now() */
export function connectionWords({ state: connection, reason }, state, now) {
  if (connection === 'crowded' && reason) return reason;
  if (connection === 'down' && !mayMove(state)) return t('site.disconnected');
  if (connection === 'down' && state.sent) return t('round.down_sent');
  const key = CONNECTIONS[connection] ?? (state.clock.paused === 'restart' ? 'round.server_was_away' : null);
  return key ? t(key) : isLate(state, now) ? t('round.unanswered') : '';
}

/**
 * Why the server refused something; in English if it is a newer release than this page, which lacks the sentence.
 * @param {import('../net/wire.js').Error} error
 */
export const refusalWords = ({ refusal, params, message }) =>
  has(`refusals.${refusal}`) ? t(`refusals.${refusal}`, params) : message;

/** How a game changed the reader's own rating. @param {number} change */
export function ratingChangeWords(change) {
  if (change === 0) return t('ratings.same');
  return change > 0 ? t('ratings.gained', { n: change }) : t('ratings.lost', { n: -change });
}
