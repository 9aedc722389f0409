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
  #refused;
  #secret = location.hash.slice(1);
  /** @type {Promise<void> | null} */
  #joining = null;
  #box = byId('invite');
  #link = element('invite-link', HTMLInputElement);
  #join = byId('join');
  #joinText = byId('join-text');
  #joinButton = buttonById('join-game');
  #refusal = '';

  /**
   * @param {string} game id @param {() => Promise<void>} joined the seat is ours
   * @param {() => void} refused it will not be: who sits where has to be shown anew
   */
  constructor(game, joined, refused) {
    this.#game = game;
    this.#joined = joined;
    this.#refused = refused;
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
    if (this.#secret && state.you) this.#recognizeOwn(state);
    const link = state.you && state.status === 'open' && state.invited ? storedLink(this.#game) : null;
    this.#box.hidden = !link;
    if (link && this.#link.value !== link) this.#link.value = link;
    const seat = this.seatOffered(state);
    const refusal = this.#refusalIn(state);
    this.#join.hidden = !seat && !refusal;
    this.#joinButton.hidden = !seat;
    if (seat && !this.#joining) {
      const yours = turn(state) === seat ? 'make your move, or press Play.' : 'press Play to begin.';
      this.#joinText.textContent = `You have ${seat === 'white' ? 'White' : 'Black'}: ${yours}`;
    } else if (!seat) this.#joinText.textContent = refusal;
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
      if (answer.status !== 403) return;
      this.#refusal = this.#joinText.textContent ?? '';
      this.#forget();
      this.#refused();
    }
  }

  /**
   * Why a link that was meant for a player shows only a game to watch; '' when it does not.
   * @param {GameState} state
   */
  #refusalIn(state) {
    if (state.you) return '';
    // without a crowd this is still the page's snapshot, which does not know us
    const late = this.#secret && state.crowd && !this.seatOffered(state);
    return this.#refusal || (late ? 'The seat of this link is no longer free. You are watching.' : '');
  }

  /** Whoever opens his own link gets it back, to send it. @param {GameState} state */
  #recognizeOwn(state) {
    if (state.status === 'open' && state.invited && !storedLink(this.#game)) {
      sessionStorage.setItem(`invite:${this.#game}`, JSON.stringify({ link: location.href, copied: false }));
      byId('invite-text').textContent = 'This link is your own. Whoever else opens it first plays against you.';
    }
    this.#forget();
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
