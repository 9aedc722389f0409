/**
 * The commands that the server has not answered yet. A move is sent again on every new connection; anything else only
 * if it waits for the first one of a page, because later all may be different. Sends nothing itself.
 *
 * @import { Command } from './messages.js'
 */

/** Commands that wait for the first connection; nobody means to press more buttons than that. */
const MOST_EARLY = 8;

export class UnansweredCommands {
  #lastId = 0;
  /** @type {Map<number, Command & {id: number}>} */
  #sent = new Map();
  /** @type {Map<string, number>} ids of commands, not moves, that wait for the first connection, by what they say */
  #early = new Map();

  /** @param {Command} command @returns {Command & {id: number}} with the id that the answer repeats */
  add(command) {
    const numbered = { ...command, id: ++this.#lastId };
    this.#sent.set(numbered.id, numbered);
    return numbered;
  }

  /** Keeps a command until the first connection is there, once however often it is given.
   * @param {Command} command @returns {number | null} its id; null: too many wait already */
  addEarly(command) {
    const key = JSON.stringify(command);
    const waiting = this.#early.get(key);
    if (waiting !== undefined) return waiting;
    if (this.#early.size === MOST_EARLY) return null;
    const { id } = this.add(command);
    this.#early.set(key, id);
    return id;
  }

  /** @param {number} id of a command that the server has answered */
  answered(id) {
    this.#sent.delete(id);
  }

  /** @returns {(Command & {id: number})[]} what a new connection sends first; anything else is let go */
  takeForNew() {
    const early = new Set(this.#early.values());
    this.#early.clear();
    for (const [id, command] of this.#sent) if (command.t !== 'move' && !early.has(id)) this.#sent.delete(id);
    return [...this.#sent.values()];
  }

  /** Lets go what waits for the first connection. @returns {boolean} whether anything did */
  forgetEarly() {
    const some = this.#early.size > 0;
    for (const id of this.#early.values()) this.#sent.delete(id);
    this.#early.clear();
    return some;
  }
}
