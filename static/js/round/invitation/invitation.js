/**
 * The friend's end of a link: the box that offers a seat. The secret is in the fragment of the address, which no server
 * sees, followed by the colour if both seats are free. The socket sends it to the server, so that the two can chat and the
 * inviter sees that the friend has arrived; the friend takes the seat only by accepting or moving.
 *
 * @import { GameState } from '../../game/model.js'
 * @import { Side } from '../../net/messages.js'
 */
import { request } from '../../net/requests.js';
import { storeHasGames } from '../../notifications/stored_games.js';
import { freeSeat, turn } from '../../game/model.js';
import { personName, t } from '../../words.js';
import { InvitationLinks } from './invitation_links.js';
import { buttonById, byId } from '../../ui/dom.js';

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
  /** @type {Side | null} the seat that this person was last shown as theirs to take */
  #offered = null;
  /** @type {Side | null} the seat that is being taken, shown as theirs until the server has answered */
  #taking = null;
  #join = byId('join');
  #joinText = byId('join-text');
  #joinButton = buttonById('join-game');
  #refusal = '';

  /**
   * @param {string} game id @param {() => string | null} me this person's id, if they have one
   * @param {() => Promise<void>} joined the seat is ours, or another link was opened: the socket has to greet again
   * @param {() => void} changed there is another link, or it was refused: the seats have to be rendered again
   */
  constructor(game, me, joined, changed) {
    this.#game = game;
    this.#me = me;
    this.#joined = joined;
    this.#changed = changed;
    this.#links = new InvitationLinks(game);
    this.#read();
    // Opening the link in a tab that shows the game already does not reload the page.
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

  /** The secret of the link, '' without one. Sending it to the server takes no seat. */
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

  /** Whether this person was challenged by name. @param {GameState} state */
  #isAsked({ asked }) {
    return !!asked?.id && asked.id === this.#me();
  }

  /** @param {GameState} state */
  render(state) {
    if (this.#secret && state.you) {
      this.#links.recognize(state, location.href);
      this.#forget();
    }
    const seat = this.seatOffered(state);
    this.#links.render(state, !!seat);
    this.#offered = seat;
    const refusal = this.#refusalIn(state);
    this.#join.hidden = !seat && !refusal;
    this.#joinButton.hidden = !seat;
    byId('refuse-game').hidden = !seat || !this.#isAsked(state);
    if (seat && this.#isAsked(state)) byId('join-title').textContent = askedWords(state);
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

  /** @returns {Promise<void>} once the server has answered for a seat that is being taken; at once if none is */
  get seated() {
    return this.#joining ?? Promise.resolve();
  }

  /** What the reader is asked to do, for who cannot see it: to send the link, or to take the seat; '' if neither. */
  get words() {
    const shown = ['join-title', 'join-text', 'invite-title'].map(byId).filter(part => !part.closest('[hidden]'));
    return shown.map(({ textContent }) => textContent).join('. ');
  }

  /** Takes the seat, once however often it is called. @returns {Promise<void>} when it is taken, or the box says why not */
  accept() {
    this.#joining ??= this.#take().finally(() => {
      this.#joining = null;
    });
    return this.#joining;
  }

  async #take() {
    const pressed = document.activeElement === this.#joinButton;
    this.#taking = this.#offered;
    this.#joinButton.disabled = true;
    const taken = await this.#post();
    if (taken) {
      // From now on every page listens for what happens in this game.
      storeHasGames(true);
      await this.#joined();
    }
    this.#taking = null;
    this.#joinButton.disabled = false;
    this.#changed();
    // The button goes, and the next thing to do is on the board.
    if (taken && pressed) byId('board').focus({ preventScroll: true });
  }

  /** @returns {Promise<boolean>} whether the server gave us the seat; otherwise the box says why not */
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
   * Why somebody with a link can only watch the game; '' if they can play or have no link.
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

/** Who asks the reader to play, and against whom. @param {GameState} state */
function askedWords(state) {
  const { askedNext, proposedBy } = state;
  const name = askedNext?.name ?? maker(state);
  if (proposedBy)
    return t(askedNext ? 'challenge.proposed_by' : 'challenge.proposed_accepted', { by: proposedBy, name });
  return t(askedNext ? 'challenge.proposed' : 'notifications.challenged', { name });
}

/** The name of the player who is there already. @param {GameState} state */
const maker = ({ seats }) => personName(seats.white.name ?? seats.black.name ?? '');
