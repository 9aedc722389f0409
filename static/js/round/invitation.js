/**
 * The friend's end of a link: the box that offers the seat. The secret stands behind the # of the address, which no
 * server sees, with the seat that it opens if both are free. The socket tells it, so that inviter and friend can talk and
 * the one reads that the other has come; the seat is taken when the friend acts, never before.
 *
 * @import { GameState } from '../game/model.js'
 * @import { Side } from '../net/messages.js'
 */
import { request } from '../net/requests.js';
import { storeHasGames } from '../notifications/stored_games.js';
import { freeSeat, turn } from '../game/model.js';
import { t } from '../words.js';
import { InvitationLinks } from './invitation_links.js';
import { buttonById, byId } from '../ui/dom.js';

const FRAGMENT = /^#([0-9A-Za-z_-]{16,64})(?:\.(white|black))?$/;

export class Invitation {
  #game;
  #joined;
  #changed;
  #links;
  #secret = '';
  /** @type {Side | null} */
  #seat = null;
  #me;
  /** @type {Promise<void> | null} */
  #joining = null;
  /** @type {Side | null} the seat that was last shown as free for this person */
  #offered = null;
  /** @type {Side | null} the seat that is being taken: theirs from the first click, until the server says whose it is */
  #taking = null;
  #join = byId('join');
  #joinText = byId('join-text');
  #joinButton = buttonById('join-game');
  #refusal = '';

  /**
   * @param {string} game id @param {() => string | null} me the id of this person, if they have one
   * @param {() => Promise<void>} joined the seat is ours, or another link was opened: the socket has to greet anew
   * @param {() => void} changed there is another link, or it was refused: who sits where has to be shown anew
   */
  constructor(game, me, joined, changed) {
    this.#game = game;
    this.#me = me;
    this.#joined = joined;
    this.#changed = changed;
    this.#links = new InvitationLinks(game);
    this.#read();
    // A link that is opened where the game was watched already loads nothing anew.
    addEventListener('hashchange', () => {
      if (!FRAGMENT.test(location.hash)) return;
      this.#read();
      changed();
      void joined();
    });
    this.#joinButton.addEventListener('click', () => this.accept());
    byId('refuse-game').addEventListener('click', () => this.#refuse());
  }

  #read() {
    const [, secret = '', seat] = FRAGMENT.exec(location.hash) ?? [];
    this.#secret = secret;
    this.#seat = /** @type {Side | undefined} */ (seat) ?? null;
  }

  /** What opens the free seat, '' without a link. Telling it to the server takes no seat. */
  get secret() {
    return this.#secret;
  }

  /** The seat that this person would take by moving. @param {GameState} state @returns {Side | null} */
  seatOffered(state) {
    if (state.you) return null;
    if (this.#taking) return this.#taking;
    const mine = this.#secret || this.#isAsked(state);
    return mine && state.invited ? freeSeat(state, this.#seat) : null;
  }

  /** Was this person challenged by name? @param {GameState} state */
  #isAsked({ asked }) {
    return !!asked && asked.id === this.#me();
  }

  /** @param {GameState} state */
  render(state) {
    if (this.#secret && state.you) {
      this.#links.recognize(state, location.href);
      this.#forget();
    }
    this.#links.render(state);
    const seat = this.seatOffered(state);
    this.#offered = seat;
    const refusal = this.#refusalIn(state);
    this.#join.hidden = !seat && !refusal;
    this.#joinButton.hidden = !seat;
    byId('refuse-game').hidden = !seat || !this.#isAsked(state);
    if (seat && this.#isAsked(state))
      byId('join-title').textContent = t('challenge.challenged', { name: maker(state) });
    if (seat && !this.#joining) {
      const first = turn(state) === seat;
      this.#joinText.textContent = t(
        seat === 'white'
          ? first
            ? 'challenge.white_moves'
            : 'challenge.white_waits'
          : first
            ? 'challenge.black_moves'
            : 'challenge.black_waits',
      );
    } else if (!seat) this.#joinText.textContent = refusal;
  }

  /** Takes the seat. Acting twice is acting once. @returns {Promise<void>} when it is taken, or was refused in words */
  accept() {
    this.#joining ??= this.#take().finally(() => {
      this.#joining = null;
    });
    return this.#joining;
  }

  async #take() {
    this.#taking = this.#offered;
    this.#joinButton.disabled = true;
    const taken = await this.#post();
    if (taken) {
      // Whoever has just become somebody here is to hear of this game on any other page.
      storeHasGames(true);
      await this.#joined();
    }
    this.#taking = null;
    this.#joinButton.disabled = false;
    this.#changed();
  }

  /** @returns {Promise<boolean>} the server gave the seat; why not is said in the box */
  async #post() {
    this.#joinText.textContent = t('challenge.taking');
    const answer = await request(`/api/games/${this.#game}/join`, 'POST', { secret: this.#secret });
    if (!answer) {
      this.#joinText.textContent = t('challenge.unreachable');
    } else if (answer.ok) {
      this.#forget();
    } else {
      const { message } = await answer.json().catch(() => ({}));
      this.#joinText.textContent = message ?? t('challenge.not_taken');
      if (answer.status === 403) {
        this.#refusal = this.#joinText.textContent ?? '';
        this.#forget();
      }
    }
    return answer?.ok ?? false;
  }

  async #refuse() {
    const answer = await request(`/api/games/${this.#game}/refuse`, 'POST');
    if (!answer?.ok) this.#joinText.textContent = t('challenge.unreachable');
  }

  /**
   * Why a link that was meant for a player shows only a game to watch; '' when it does not.
   * @param {GameState} state
   */
  #refusalIn(state) {
    if (state.you) return '';
    const late = this.#secret && !this.seatOffered(state);
    return this.#refusal || (late ? t('challenge.late') : '');
  }

  #forget() {
    this.#secret = '';
    history.replaceState(null, '', location.pathname);
  }
}

/** Whoever sits there already. @param {GameState} state */
const maker = ({ seats }) => seats.white.name ?? seats.black.name ?? '';
