/**
 * The computer in its seat: follows the game, and sends what it does over the connection of the person whom it plays.
 * Knows the game as a value; how it thinks is left to its mind, and what is shown of that to the page.
 *
 * @import { Thought } from '../engine/thinking.js'
 * @import { GameState } from '../game/model.js'
 * @import { Command, Side } from '../net/messages.js'
 * @import { Place } from './mind.js'
 * @typedef {{score: number, mate: number | null}} Judged   mate: in how many moves it mates, negative if it is mated
 */
import { parseUci } from '../board/position.js';
import { remaining } from '../game/clock.js';
import { turn } from '../game/model.js';
import { Dropped } from './mind.js';

/** For decisions it has to be sure of: it looks as far as a high level, without that level's mistakes. */
const SURE = { nodes: 4_000 };

/** @param {GameState} state @returns {Place} */
export const placeOf = ({ startFen, plies, chess960 }) => ({
  fen: startFen,
  moves: plies.map(({ uci }) => uci),
  chess960,
});

/** A whole number that differs from game to game and stays the same when the page is loaded again. @param {string} id */
export const seedOf = id => [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7);

export class Opponent {
  #page;
  #level;
  /** @type {Side} */
  #side;
  #seed;
  /** The position in which it is to move, and thinks or has moved already; '' if it is not its turn. */
  #at = '';
  /** @type {number | null} the offer about which it thinks, or which it has answered */
  #offer = null;
  /** @type {number | null} the id of its last move as a command */
  #sent = null;
  #lost = 0;

  /**
   * @param {object} page
   * @param {{think: import('./mind.js').Mind['think'], drop(): void}} page.mind
   * @param {() => GameState} page.state
   * @param {(command: Command) => number | null} page.send   null: the connection is lost
   * @param {(thought: Thought) => void} page.thought   it has moved, and thought so before
   * @param {() => void} page.stuck   it cannot go on
   * @param {(ms: number) => Promise<unknown>} page.wait @param {() => number} page.now ms @param {() => number} page.random
   * @param {number} level @param {Side} side
   */
  constructor(page, level, side) {
    this.#page = page;
    this.#level = level;
    this.#side = side;
    this.#seed = seedOf(page.state().id);
  }

  /** Does whatever there is to do. Call it whenever the game may have changed. */
  follow() {
    const state = this.#page.state();
    const plays = state.status === 'live' && !state.ended;
    const at = plays && turn(state) === this.#side ? `${state.plies.length} ${state.fen}` : '';
    if (at !== this.#at) {
      this.#at = at;
      this.#offer = null;
      this.#page.mind.drop();
      if (at) this.#try(() => this.#move(state, at));
    }
    const offered = plays && state.offers.find(({ kind, by }) => kind === 'draw' && by !== this.#side);
    if (offered && offered.offer !== this.#offer) {
      this.#offer = offered.offer;
      this.#try(() => this.#answer(state, offered.offer));
    }
  }

  /** The server has refused a command. @param {number | undefined} id */
  refused(id) {
    const still = this.#at && id !== undefined && id === this.#sent;
    if (still) this.#page.stuck();
  }

  /** @param {() => Promise<void>} act */
  #try(act) {
    act().catch(error => {
      if (!(error instanceof Dropped)) this.#page.stuck();
    });
  }

  /** @param {GameState} state @param {string} at */
  async #move(state, at) {
    const { mind, now, wait, random, send } = this.#page;
    const began = now();
    const thought = await mind.think(placeOf(state), { level: this.#level, seed: this.#seed });
    if (await this.#gaveUp(state, thought)) {
      // Without a connection it thinks again once there is one; a move is sent then by itself.
      if (send({ t: 'resign', computer: 1 }) === null) this.#at = '';
      return;
    }
    const [uci] = thought.line;
    await wait(this.#pace(state, uci, random()) - (now() - began));
    if (at !== this.#at) return;
    this.#sent = send({ t: 'move', ply: state.plies.length, uci, computer: 1 });
    this.#page.thought(thought);
  }

  /** @param {GameState} state @param {Thought} thought */
  async #gaveUp(state, thought) {
    this.#lost = looksLost(thought) ? this.#lost + 1 : 0;
    const { length } = state.plies;
    if (!resigns(this.#level, length, this.#lost, thought)) return false;
    return resigns(this.#level, length, this.#lost, await this.#page.mind.think(placeOf(state), SURE));
  }

  /** @param {GameState} state @param {string} uci @param {number} chance */
  #pace(state, uci, chance) {
    const [last, side] = [state.plies.at(-1), this.#side];
    const recaptures = last !== undefined && parseUci(last.uci).to === parseUci(uci).to;
    const left = remaining(state, side, this.#page.now());
    return pace({ left, increment: state.increment[side], plies: state.plies.length, recaptures }, chance);
  }

  /** @param {GameState} state @param {number} offer of a draw */
  async #answer(state, offer) {
    const { score, mate } = await this.#page.mind.think(placeOf(state), SURE);
    const sign = turn(state) === this.#side ? 1 : -1;
    const accepts = acceptsDraw(state.plies.length, { score: sign * score, mate: mate && sign * mate });
    if (this.#page.send({ t: accepts ? 'accept' : 'decline', offer, computer: 1 }) === null) this.#offer = null;
  }
}

// How long the computer takes for a move, so that it plays at a person's pace. Pure: chance is an argument.

/** ms that a move may take on average without a clock. */
const UNHURRIED = 2_000;
/** Moves for which what is on the clock is thought to last. */
const MOVES_TO_GO = 40;
const SHORTEST = 80;
const LONGEST = 3_500;
/** Half-moves of the opening, which is played faster. */
const OPENING = 10;

/**
 * @param {object} at
 * @param {number | null} at.left ms on its clock; null: it has none
 * @param {number} at.increment ms
 * @param {number} at.plies half-moves played
 * @param {boolean} at.recaptures whether it takes back on the square of the last move: nobody thinks long about that
 * @param {number} chance 0 to 1
 * @returns {number} ms from the opponent's move on
 */
export function pace({ left, increment, plies, recaptures }, chance) {
  const budget = left === null ? UNHURRIED : left / MOVES_TO_GO + increment / 2;
  const hurry = (plies < OPENING ? 0.6 : 1) * (recaptures ? 0.5 : 1);
  const wanted = Math.min(budget, UNHURRIED * 1.5) * (0.4 + 0.8 * chance) * hurry;
  return Math.min(Math.max(wanted, SHORTEST), LONGEST);
}

// When the computer resigns, and when it accepts a draw. Pure. Scores are in hundredths of a pawn, for the computer.

/** From this level on it resigns: whoever plays the first ones still learns how to win a won game. */
const RESIGNS_FROM = 3;
const LOST = -900;
/** Its own moves in a row for which the game has looked lost. */
const CONVINCED = 3;
/** Who sees the mate may give it. */
const SHOWN_MATE = 2;
/** Half-moves before which it neither accepts a draw nor resigns. */
const EARLY = 20;
const FAIRLY_LONG = 60;
const WORSE = -100;

/** Does the game look lost? @param {Judged} judged */
export const looksLost = ({ score }) => score <= LOST;

/**
 * @param {number} level @param {number} plies half-moves played @param {number} lost its own moves in a row for which the
 *   game has looked lost @param {Judged} judged as well as it can
 */
export function resigns(level, plies, lost, judged) {
  if (level < RESIGNS_FROM || plies < EARLY || lost < CONVINCED || !looksLost(judged)) return false;
  return judged.mate === null || judged.mate < -SHOWN_MATE;
}

/** @param {number} plies half-moves played @param {Judged} judged as well as it can */
export function acceptsDraw(plies, { score }) {
  if (plies < EARLY) return false;
  return score <= (plies < FAIRLY_LONG ? WORSE : 0);
}
