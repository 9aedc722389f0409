/**
 * Finding an opponent on the front page: the live list of open seeks, the visitor's own seeks, and the way to the game.
 * The same socket also brings the page's notifications.
 *
 * @import { LobbyOutbound, SeekView as Seek, YourGames } from '../net/wire.js'
 */
import { titleWithCount, TurnNotifier } from '../notifications/turn_notifier.js';
import { storeSeeking } from '../notifications/stored_alerts.js';
import {
  notifyOfChallenge,
  notifyOfMessage,
  notifyOfRematch,
  notifyOfSeek,
  notifyOfTournament,
} from '../notifications/incoming.js';
import { waitingChallenges } from '../notifications/challenges.js';
import { notify } from '../notifications/browser_notifications.js';
import { PROTOCOL } from '../net/messages.js';
import { openWithPage, socketAddress } from '../net/page_socket.js';
import { allowReload, reloadOnce } from '../net/reload.js';
import { attempt } from '../ui/attempt.js';
import { request, requestJson, whyNoPlace } from '../net/requests.js';
import { Socket } from '../net/socket.js';
import { listChallenges } from './challenge_list.js';
import { byId, createLink, element, setText } from '../ui/dom.js';
import { Sounds } from '../ui/audio/sound.js';
import { showNotificationBar } from '../ui/notification_bar.js';
import { t } from '../words.js';
import { SeekList } from './seek_list.js';
import { isCorrespondence, seekWords } from './seek_words.js';

/** The sound of a pairing ends with the page; this much of it is enough to look up. */
const HEARD_MS = 300;

/** Within it the line tells of a seek that the server has taken. */
const TOLD_WITHIN_MS = 3000;

export class Lobby {
  #variantName;
  #showGames;
  #title = document.title;
  #busy = false;
  #sounds = new Sounds();
  #games = new TurnNotifier('', this.#sounds);
  #waitingGames = 0;
  /** Own seeks that were open when last heard of, so that none is lost with the connection. @type {Map<string, Seek>} */
  #waiting = new Map();
  /** Those of them that the line has not told of yet: a list without them may be older than they are. */
  #untold = /** @type {Set<string>} */ (new Set());
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #askAgain;
  #list;
  /** @type {Socket<LobbyOutbound>} */
  #socket;
  #filter = '';
  #time = new WaitingTime(byId('waiting-time'));
  /** Whoever waits would seek another game as well. */
  #seeksMore = false;
  /** @type {string | null} this visitor's id; null while they have none */
  me;

  /**
   * @param {(variant: string) => string} variantName @param {string | null} me
   * @param {(seeks: Seek[], waits: boolean) => void} changed called with the seeks of others when they change, and whether
   *   the reader waits
   * @param {(games: YourGames) => void} showGames called with the visitor's running games when they change
   */
  constructor(variantName, me, changed, showGames) {
    this.#variantName = variantName;
    this.#showGames = showGames;
    this.me = me;
    this.#list = new SeekList({
      variantName,
      isMine: ({ by }) => by === this.me,
      take: seek => void this.take(seek),
      withdraw: seek => this.#run(() => this.#withdraw(seek)),
      changed: () => changed(this.#list.ofOthers, this.waits),
    });
    this.#socket = new Socket({
      url: socketAddress('/ws/lobby'),
      whyNoPlace: () => whyNoPlace('/ws/lobby'),
      greeting: () => ({ t: 'hi', proto: PROTOCOL, games: 1 }),
      onMessage: message => this.#receive(message),
      onState: state => {
        const words = state === 'open' || state === 'connecting' ? '' : this.#socket.reason || t('site.disconnected');
        // In the list, and on a phone, which has that far below, in place of who waits.
        for (const place of document.querySelectorAll('.offline')) place.textContent = words;
      },
      reload: reloadOnce,
    });
    byId('waiting-cancel').addEventListener('click', () =>
      this.#run(async () => {
        const last = this.#list.mine.at(-1);
        if (last) await this.#withdraw(last);
      }),
    );
    byId('waiting-more').addEventListener('click', () => {
      this.#seeksMore = true;
      this.#showWaiting();
      byId('quick').querySelector('button')?.focus();
    });
  }

  get others() {
    return this.#list.ofOthers;
  }

  /** Whether a seek of the reader's own stands. */
  get waits() {
    return this.#list.mine.length > 0;
  }

  start() {
    openWithPage(this.#socket);
  }

  /** @param {string} variant '': all */
  filter(variant) {
    this.#filter = variant;
    this.#list.filter(variant);
  }

  /** Starts a game at once with somebody who wants the same, or waits. @param {object} wanted as POST /api/seeks wants it */
  seek(wanted) {
    return this.#run(async () => {
      /** @type {{game?: string, seek?: Seek}} the game that began at once, or the seek that waits now */
      const { game, seek } = await requestJson('/api/seeks', 'POST', wanted);
      if (game) return this.#go(game);
      if (seek) this.#waits(seek);
    });
  }

  /** @param {Seek} seek */
  #waits(seek) {
    this.#waiting.set(seek.id, seek);
    this.#untold.add(seek.id);
    this.#seeksMore = false;
    if (this.me !== seek.by) {
      // The socket was opened for an unknown visitor; from now on it is theirs.
      this.me = seek.by;
      this.#socket.restart();
    }
    this.#showWaiting();
  }

  /** @param {Seek} seek */
  take(seek) {
    return this.#run(() => this.#take(seek));
  }

  /** @param {Seek} seek */
  async #take(seek) {
    const variants = this.#filter ? [this.#filter] : [];
    const { game } = await requestJson(`/api/seeks/${seek.id}/accept`, 'POST', { variants });
    this.#go(game);
  }

  /** @param {Seek} seek */
  async #withdraw(seek) {
    this.#waiting.delete(seek.id);
    await requestJson(`/api/seeks/${seek.id}`, 'DELETE');
    this.#list.remove(seek.id);
    this.#showWaiting();
    byId('seeks-said').textContent = t('lobby.cancelled');
  }

  /** Does one thing at a time, and shows what goes wrong. @param {() => Promise<void>} work */
  async #run(work) {
    if (this.#busy) return;
    this.#busy = true;
    await attempt(byId('problem'), work).finally(() => (this.#busy = false));
  }

  /** @param {LobbyOutbound} message */
  #receive(message) {
    switch (message.t) {
      case 'seeks':
        allowReload();
        this.#list.replace(message.seeks);
        this.#askForLost();
        break;
      case 'seek_added':
        this.#list.add(message.seek);
        notifyOfSeek(message.seek);
        break;
      case 'seek_gone':
        this.#list.remove(message.id);
        break;
      case 'paired':
        return this.#paired(message.game, message.seek);
      case 'your_games':
        this.#showGames(message);
        this.#games.receive(message);
        this.#waitingGames = message.waiting;
        break;
      case 'written':
        this.#sounds.play('chat');
        return void showNotificationBar(notifyOfMessage(message), t('notifications.read_it'), `/${message.game}`);
      case 'rematch_offered':
        this.#sounds.play('offer');
        return void showNotificationBar(notifyOfRematch(message), t('notifications.open_game'), `/${message.game}`);
      case 'tournament_soon':
        this.#sounds.play('turn');
        return void showNotificationBar(
          notifyOfTournament(message),
          t('notifications.to_tournament'),
          `/tournament/${message.tournament}`,
        );
      case 'challenged':
        this.#sounds.play('turn');
        return void waitingChallenges().then(waiting => {
          notifyOfChallenge(message, waiting);
          listChallenges(waiting);
        });
    }
    for (const seek of this.#list.mine) {
      this.#waiting.set(seek.id, seek);
      this.#untold.delete(seek.id);
    }
    this.#showWaiting();
  }

  /** Somebody may have accepted an own seek while the connection was lost. */
  async #askForLost() {
    const standing = new Set(this.#list.mine.map(({ id }) => id));
    let unknown = false;
    for (const id of [...this.#waiting.keys()].filter(id => !standing.has(id))) {
      if (this.#untold.delete(id)) {
        setTimeout(() => this.#askForLost(), TOLD_WITHIN_MS);
        continue;
      }
      const answer = await request(`/api/seeks/${id}/game`);
      const found = answer?.ok ? await answer.json().catch(() => null) : null;
      if (found) return this.#paired(found.game, id);
      if (answer?.status === 404) this.#waiting.delete(id);
      else unknown = true;
    }
    clearTimeout(this.#askAgain);
    // Whatever else the server, or somebody on the way, answers does not say that there is no game.
    if (unknown) this.#askAgain = setTimeout(() => this.#askForLost(), TOLD_WITHIN_MS);
    this.#showWaiting();
  }

  /** @param {string} game @param {string} seek */
  #paired(game, seek) {
    const mine = this.#waiting.get(seek);
    this.#waiting.delete(seek);
    const heard = this.#sounds.play('pairing');
    if (document.hidden)
      notify(t('lobby.begun'), mine ? seekWords(mine, this.#variantName) : '', `/${game}`, `/${game}`);
    // A correspondence game need not interrupt what people are doing here.
    if (!mine || !isCorrespondence(mine)) return void setTimeout(() => this.#go(game), heard ? HEARD_MS : 0);
    byId('waiting-text').replaceChildren(t('lobby.begun'), ' ', createLink('', `/${game}`, t('lobby.go')));
    byId('waiting').hidden = false;
    byId('quick').classList.add('covered');
    byId('waiting-cancel').hidden = true;
    this.#time.stop();
  }

  /** @param {string} game */
  #go(game) {
    storeSeeking([]);
    location.assign(`/${game}`);
  }

  #showWaiting() {
    const mine = this.#list.mine;
    const last = mine.at(-1);
    storeSeeking(mine.filter(seek => !isCorrespondence(seek)).map(({ id }) => id));
    const game = last && seekWords(last, this.#variantName);
    const words = !last
      ? ''
      : isCorrespondence(last)
        ? t('lobby.you_wait_days', { game: game ?? '' })
        : `${t('lobby.you_wait', { game: game ?? '' })} ${t('lobby.stay')}`;
    const begun = byId('waiting-text').querySelector('a');
    if (begun && !last) return;
    setText(byId('waiting-text'), words);
    this.#showBox(last);
    document.title = titleWithCount(
      last && !isCorrespondence(last) ? t('lobby.tab_waiting') : this.#title,
      this.#waitingGames,
    );
  }

  /** The times, or in their place how long one has waited and what to do meanwhile. @param {Seek | undefined} last own seek */
  #showBox(last) {
    const shown = !!last && !this.#seeksMore;
    const pressed = shown && byId('waiting').hidden && byId('quick').contains(document.activeElement);
    byId('waiting').hidden = !shown;
    // The time that was pressed by a key is out of reach now. Not on a button, which the key, held, would press.
    if (pressed) byId('waiting-text').focus();
    byId('quick').classList.toggle('covered', shown);
    byId('waiting-cancel').hidden = !last;
    if (last && !isCorrespondence(last)) this.#time.start();
    else this.#time.stop();
    const variant = last?.variants?.[0];
    byId('waiting-while').hidden = !variant;
    if (!variant) return;
    const lesson = element('waiting-lesson', HTMLAnchorElement);
    lesson.href = `/rules/${variant}${last.chess960 ? '960' : ''}`;
    setText(lesson, t('home.meanwhile_lesson', { variant: this.#variantName(variant) }));
  }
}

// How long somebody has been waiting for an opponent: a clock that counts up while the page is open. Knows no seek.

const TICK_MS = 1000;
const MINUTE_S = 60;

class WaitingTime {
  #element;
  #since = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
  }

  /** Begins at 0:00, unless it is counting already. */
  start() {
    if (this.#timer) return;
    this.#since = performance.now();
    this.#timer = setInterval(() => this.#show(), TICK_MS);
    this.#show();
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    setText(this.#element, '');
  }

  #show() {
    const seconds = Math.round((performance.now() - this.#since) / TICK_MS);
    setText(this.#element, `${Math.floor(seconds / MINUTE_S)}:${String(seconds % MINUTE_S).padStart(2, '0')}`);
  }
}
