/**
 * Notifies the reader that it is their turn in one of their games, on any page but that game's own, and leads them from a
 * correspondence game in which they have moved to the next that waits. Knows no socket.
 *
 * @import { YourGame, YourGames } from '../net/wire.js'
 */
import { showNotificationBar } from '../ui/notification_bar.js';
import { personName, t } from '../words.js';
import { isBoardInFront, storeHasGames } from './stored_games.js';
import { notify } from './browser_notifications.js';

export class TurnNotifier {
  #sounds;
  #here;
  #toMoveHere = false;

  /**
   * @param {string} here the id of the game whose page this is, '' on other pages
   * @param {Pick<import('../ui/audio/sound.js').Sounds, 'play'>} sounds
   */
  constructor(here, sounds) {
    this.#here = here;
    this.#sounds = sounds;
  }

  /** @param {YourGames} message */
  receive({ games, waiting, news }) {
    storeHasGames(games.length > 0);
    const moved = games.find(({ id }) => id === news);
    if (moved && moved.id !== this.#here && !isBoardInFront(moved.id)) this.#notify(moved);
    const toMove = games.some(({ id, turn }) => id === this.#here && turn);
    const next = games.find(({ id, turn }) => turn && id !== this.#here);
    if (this.#toMoveHere && !toMove && next)
      showNotificationBar(t('notifications.next_waits', { n: waiting }), t('notifications.next_game'), `/${next.id}`);
    this.#toMoveHere = toMove;
  }

  /** @param {YourGame} game */
  #notify({ id, by = '' }) {
    const words = t('notifications.your_move', { name: personName(by) });
    if (document.hidden) notify(words, '', `/${id}`, `/${id}`);
    this.#sounds.play('turn');
    showNotificationBar(words, t('notifications.open_game'), `/${id}`);
  }
}

/** "(2) Rules": two games wait for the reader's move. @param {string} title @param {number} waiting */
export const titleWithCount = (title, waiting) => (waiting ? `(${waiting}) ${title}` : title);
