/**
 * Calls the reader to a game of theirs in which it has become their turn, on any page but the one where they have its
 * board in front of them; and after a move in one game of days, to the next that waits. Knows no line.
 *
 * @typedef {import('../ui/games_strip.js').YourGames} YourGames
 */
import { showBar } from '../ui/notification_bar.js';
import { Sounds } from '../ui/sound.js';
import { t } from '../words.js';
import { isInFront, keepPlaying } from './stored_games.js';
import { notify } from './browser_notifications.js';

export class GameNews {
  #sounds = new Sounds();
  #here;
  #toMoveHere = false;

  /** @param {string} here the game whose page this is, '' if it is none */
  constructor(here) {
    this.#here = here;
  }

  /** @param {YourGames} told */
  hear({ games, waiting, news }) {
    keepPlaying(games.length > 0);
    const moved = games.find(({ id }) => id === news);
    if (moved && moved.id !== this.#here && !isInFront(moved.id)) this.#call(moved);
    const toMove = games.some(({ id, turn }) => id === this.#here && turn);
    const next = games.find(({ id, turn }) => turn && id !== this.#here);
    if (this.#toMoveHere && !toMove && next) showBar(t('notifications.next_waits', { n: waiting }), t('notifications.next_game'), `/${next.id}`);
    this.#toMoveHere = toMove;
  }

  /** @param {import('../ui/games_strip.js').YourGame} game */
  #call({ id, by = '' }) {
    const words = t('notifications.your_move', { name: by });
    if (document.hidden) notify(words, '', 'turn', `/${id}`);
    this.#sounds.play('chat');
    showBar(words, t('notifications.open_game'), `/${id}`);
  }
}

/** "(2) Rules": so many games wait. @param {string} title @param {number} waiting */
export const titleWith = (title, waiting) => (waiting ? `(${waiting}) ${title}` : title);
