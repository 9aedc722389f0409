/**
 * Notifies the reader, on any page but that game's own, that a clock of theirs runs somewhere, and what became of that game;
 * that it is their turn in one of their games; and leads them from a correspondence game in which they have moved to the
 * next that waits. Knows no socket.
 *
 * @import { YourGame, YourGames } from '../net/wire.js'
 */
import { showNotificationBar } from '../ui/notification_bar.js';
import { personName, t } from '../words.js';
import { tabStorage } from '../storage.js';
import { isBoardInFront, storeHasGames } from './stored_games.js';
import { notify } from './browser_notifications.js';

/** Where the browser keeps, for this tab, the running game of which the reader closed the notification. */
const CLOSED = 'closed-live-game';
/** How long a notification may cover the head of another game's page: that head goes on saying which games wait. */
const BESIDE_A_BOARD_MS = 8000;

export class TurnNotifier {
  #sounds;
  #here;
  /** ms that what the head says, too, stays beside it. */
  #brief;
  #toMoveHere = false;
  /** @type {YourGame[]} */
  #games = [];
  /** The game by the minute that the reader was told of, and its opponent's name. @type {{id: string, by: string} | null} */
  #live = null;

  /**
   * @param {string} here the id of the game whose page this is, '' on other pages
   * @param {Pick<import('../ui/audio/sound.js').Sounds, 'play'>} sounds
   */
  constructor(here, sounds) {
    this.#here = here;
    this.#brief = here ? BESIDE_A_BOARD_MS : Infinity;
    this.#sounds = sounds;
    document.addEventListener('visibilitychange', () => document.hidden || this.#leadBack());
  }

  /** @param {YourGames} message */
  receive({ games, waiting, news }) {
    storeHasGames(games.length > 0);
    this.#games = games;
    this.#leadBack();
    const moved = games.find(({ id }) => id === news);
    if (moved && moved.id !== this.#here && !isBoardInFront(moved.id)) this.#notify(moved);
    const toMove = games.some(({ id, turn }) => id === this.#here && turn);
    const next = games.find(({ id, turn }) => turn && id !== this.#here);
    if (this.#toMoveHere && !toMove && next)
      showNotificationBar(
        t('notifications.next_waits', { n: waiting }),
        t('notifications.next_game'),
        `/${next.id}`,
        this.#brief,
      );
    this.#toMoveHere = toMove;
  }

  /** Their opponent may claim a game whose board they have left for another page, so they are not let forget it. */
  #leadBack() {
    const over = this.#live && !this.#games.some(({ id }) => id === this.#live?.id) ? this.#live : null;
    if (over && !isBoardInFront(over.id))
      showNotificationBar(
        t('notifications.live_over', { name: over.by }),
        t('notifications.see_result'),
        `/${over.id}`,
      );
    const live = this.#games.find(({ id, live, by }) => live && by && id !== this.#here && !isBoardInFront(id));
    if (live?.id === this.#live?.id) return;
    this.#live = live ? { id: live.id, by: personName(live.by ?? '') } : null;
    // Whoever sits at two boards at once needs to see both.
    if (!this.#live || this.#games.some(({ id, live }) => live && id === this.#here)) return;
    if (tabStorage.get(CLOSED) === this.#live.id || isTileInSight(this.#live.id)) return;
    const words = t(live?.to_move ? 'notifications.live_yours' : 'notifications.live_running', { name: this.#live.by });
    const { id } = this.#live;
    showNotificationBar(words, t('notifications.open_game'), `/${id}`, this.#brief, () => tabStorage.set(CLOSED, id));
  }

  /** @param {YourGame} game */
  #notify({ id, by = '' }) {
    const words = t('notifications.your_move', { name: personName(by) });
    if (document.hidden) notify(words, '', `/${id}`, `/${id}`);
    this.#sounds.play('turn');
    showNotificationBar(words, t('notifications.open_game'), `/${id}`, this.#brief);
  }
}

/** Whether the page shows that game among the reader's own: the front page does, where a bar would cover what begins a game.
 * @param {string} id */
function isTileInSight(id) {
  const place = document.querySelector(`#your-games-list a[href="/${id}"]`)?.getBoundingClientRect();
  return !!place && place.height > 0 && place.top >= 0 && place.bottom <= innerHeight;
}

/** "(2) Rules": two games wait for the reader's move. @param {string} title @param {number} waiting */
export const titleWithCount = (title, waiting) => (waiting ? `(${waiting}) ${title}` : title);
