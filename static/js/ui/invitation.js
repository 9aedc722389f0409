/**
 * The two ends of a link: the box with the link for whoever made the game, and the box for the friend who opened it.
 * The secret stands behind the # of the address, which no server sees; it is sent when the friend acts, never before.
 *
 * @typedef {import('../game/model.js').GameState} GameState
 * @typedef {import('../net/messages.js').Side} Side
 */
import { freeSeat, turn } from '../game/model.js';
import { buttonById, byId, element } from './page.js';

const COPIED_MS = 2500;

export class Invitation {
  #game;
  #joined;
  #secret = location.hash.slice(1);
  /** @type {Promise<void> | null} */
  #joining = null;
  #box = byId('invite');
  #link = element('invite-link', HTMLInputElement);
  #join = byId('join');
  #joinText = byId('join-text');
  #joinButton = buttonById('join-game');

  /** @param {string} game id @param {() => Promise<void>} joined the seat is ours */
  constructor(game, joined) {
    this.#game = game;
    this.#joined = joined;
    this.#joinButton.addEventListener('click', () => this.accept());
    buttonById('copy-link').addEventListener('click', () => this.#copy());
    this.#link.addEventListener('focus', () => this.#link.select());
  }

  /**
   * The seat that this person would take by moving.
   * @param {GameState} state @returns {Side | null}
   */
  seatOffered(state) {
    return this.#secret && !state.you && state.invited ? freeSeat(state) : null;
  }

  /** @param {GameState} state */
  render(state) {
    const link = state.you && state.status === 'open' && state.invited ? storedLink(this.#game) : null;
    this.#box.hidden = !link;
    if (link && this.#link.value !== link) this.#link.value = link;
    const seat = this.seatOffered(state);
    this.#join.hidden = !seat;
    if (seat && !this.#joining) {
      const yours = turn(state) === seat ? 'It is your move: make it, or press Play.' : 'Press Play, or set a move in advance.';
      this.#joinText.textContent = `You would play ${seat === 'white' ? 'White' : 'Black'}. ${yours}`;
    }
    if (this.#secret && state.you) this.#forget();
  }

  /** Takes the seat. Acting twice is acting once. @returns {Promise<void>} when it is taken, or was refused in words */
  accept() {
    return (this.#joining ??= this.#post().finally(() => (this.#joining = null)));
  }

  async #post() {
    this.#joinText.textContent = 'Taking the seat...';
    const answer = await fetch(`/api/games/${this.#game}/join`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ secret: this.#secret }),
    }).catch(() => null);
    if (!answer) {
      this.#joinText.textContent = 'The server cannot be reached. Please try again.';
    } else if (answer.ok) {
      this.#forget();
      await this.#joined();
    } else {
      const { message } = await answer.json().catch(() => ({}));
      this.#joinText.textContent = message ?? 'The seat could not be taken. You can watch the game.';
      this.#joinButton.hidden = answer.status === 403;
    }
  }

  #forget() {
    this.#secret = '';
    history.replaceState(null, '', location.pathname);
  }

  async #copy() {
    const button = buttonById('copy-link');
    const label = button.querySelector('span') ?? button;
    const words = label.textContent;
    this.#link.select();
    const copied = await navigator.clipboard?.writeText(this.#link.value).then(() => true, () => false)
      || document.execCommand('copy');
    label.textContent = copied ? 'Copied' : 'Press Ctrl+C';
    button.classList.toggle('done', copied);
    setTimeout(() => {
      label.textContent = words;
      button.classList.remove('done');
    }, COPIED_MS);
  }
}

/** The link of a game that was made in this browser; the home page keeps it for us. @param {string} game */
function storedLink(game) {
  const stored = sessionStorage.getItem(`invite:${game}`);
  return stored ? /** @type {{link: string}} */ (JSON.parse(stored)).link : null;
}
