/**
 * A game that is played offline, as a value: what this browser keeps of it, and what each command makes of it, as the server
 * would decide (server/games). Pure; the board that judges its moves is handed in, and is brought to the same place.
 *
 * @import { Command, Side } from '../net/messages.js'
 * @import { Ended } from '../net/wire.js'
 * @import { RulesBoard } from '../explain/rules_board.js'
 *
 * @typedef {'resigned' | 'computer_resigned' | 'draw'} OffBoard   how it ended, if not on the board; as it is sent
 *
 * @typedef {object} OfflineGame
 * @property {string} id   drawn here, and the game's own for good
 * @property {number} rev   rises by one with every change
 * @property {string} address   of its variant and form
 * @property {string} variant   id
 * @property {boolean} chess960
 * @property {string} startFen
 * @property {Side} color   of the person
 * @property {number} level   of the computer
 * @property {[string, string][]} moves   UCI and SAN
 * @property {Ended | null} ended
 * @property {OffBoard | null} end
 * @property {number} begun   ms since the epoch
 * @property {number} played   when something last happened
 * @property {string} refused   why the server does not take it, '' unless it has said so
 *
 * @typedef {{t: 'moved', ply: number} | {t: 'took_back'} | {t: 'over'}
 *   | {t: 'offered', offer: number} | {t: 'offer_closed', offer: number, how: 'accepted' | 'declined'}} Happened
 * @typedef {{game: OfflineGame, offer: number | null, happened: Happened[]}} Transition   offer: of a draw, which is open
 */
import { opposite } from '../board/variant.js';
import { wonBy } from '../explain/rules_board.js';

/** Why a command does nothing: the id of a sentence, as the server's. */
export class Refused extends Error {
  /** @param {string} id @param {Record<string, string | number>} [params] */
  constructor(id, params = {}) {
    super(id);
    this.params = params;
  }
}

/** From then on it can only be resigned (server: games/status). */
export const PLIES_TO_ABORT = 2;

/**
 * @param {OfflineGame} game @param {number | null} offer of a draw, which is open @param {RulesBoard} board where the game stands
 * @param {Command} command @returns {Transition} @throws {Refused} and the board stays as it is
 */
export function take(game, offer, board, command) {
  if (game.ended) throw new Refused('over');
  const by = 'computer' in command && command.computer ? opposite(game.color) : game.color;
  switch (command.t) {
    case 'move':
      return move(game, offer, board, by, command);
    case 'resign':
      return over(game, wonBy(opposite(by)), 'resign', by === game.color ? 'resigned' : 'computer_resigned');
    case 'abort':
      if (game.moves.length >= PLIES_TO_ABORT) throw new Refused('too_late_to_abort');
      return over(game, { result: '*' }, 'abort', null);
    case 'offer':
      return command.kind === 'takeback' ? takeBack(game, board) : offerDraw(game, offer, command.kind);
    case 'accept':
      if (command.offer !== offer) throw new Refused('offer_gone');
      return closing(over(game, { result: '1/2-1/2' }, 'agreement', 'draw'), offer, 'accepted');
    case 'decline':
      if (command.offer !== offer) throw new Refused('offer_gone');
      return closing({ game, offer: null, happened: [] }, offer, 'declined');
    default:
      throw new Refused('going_on');
  }
}

/** @param {OfflineGame} game @param {number | null} offer @param {RulesBoard} board @param {Side} by
 * @param {{ply: number, uci: string}} command @returns {Transition} */
function move(game, offer, board, by, { ply, uci }) {
  if (ply !== game.moves.length) throw new Refused('stale');
  if (board.turn !== by) throw new Refused('not_your_turn');
  const played = board.play(uci);
  if (!played) throw new Refused('illegal', { move: uci });
  const { ended } = board;
  const next = { ...game, moves: [...game.moves, /** @type {[string, string]} */ ([played.uci, played.san])], ended };
  /** @type {Happened[]} */
  const happened = [{ t: 'moved', ply }];
  if (ended) happened.push({ t: 'over' });
  // The computer answers an offer by playing on, too.
  const stands = offer !== null && by === game.color && !ended;
  return { game: next, offer: stands ? offer : null, happened };
}

/** @param {OfflineGame} game @param {{result: string, winner?: Side}} how @param {string} reason @param {OffBoard | null} end
 * @returns {Transition} */
const over = (game, how, reason, end) => ({
  game: { ...game, ended: { ...how, reason }, end },
  offer: null,
  happened: [{ t: 'over' }],
});

/** The computer grants it at once: so many half-moves that the person can replace their last one. @param {OfflineGame} game
 * @param {RulesBoard} board @returns {Transition} */
function takeBack(game, board) {
  const count = board.turn === game.color ? 2 : 1;
  if (count > game.moves.length) throw new Refused('nothing_to_take_back');
  board.takeBack(count);
  return { game: { ...game, moves: game.moves.slice(0, -count) }, offer: null, happened: [{ t: 'took_back' }] };
}

/** @param {OfflineGame} game @param {number | null} offer @param {string} kind @returns {Transition} */
function offerDraw(game, offer, kind) {
  if (kind !== 'draw') throw new Refused(kind === 'rematch' ? 'rematch_too_early' : 'no_adjournment_computer');
  if (game.moves.length < PLIES_TO_ABORT) throw new Refused('draw_too_early');
  if (offer !== null) throw new Refused('offer_repeated');
  const made = game.rev + 1;
  return { game, offer: made, happened: [{ t: 'offered', offer: made }] };
}

/** @param {Transition} transition @param {number} offer @param {'accepted' | 'declined'} how @returns {Transition} */
const closing = (transition, offer, how) => ({
  ...transition,
  offer: null,
  happened: [{ t: 'offer_closed', offer, how }, ...transition.happened],
});
