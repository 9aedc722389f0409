/**
 * The box with the link, or the two links, for whoever made the game: to copy, to share, to show as a QR code.
 * The secret in a link stands behind its #, which no server sees; only for the picture it is sent, in the body of a POST.
 *
 * @import { GameState } from '../game/model.js'
 * @typedef {{link?: string, links?: Record<string, string>}} Kept   one link, or one for each seat
 */
import { tabStorage } from '../storage.js';
import { t } from '../words.js';
import { copyWhenReady } from '../ui/copy.js';
import { byId, element } from '../ui/dom.js';

const COPIED_MS = 2500;

export class InvitationLinks {
  #game;
  #box = byId('invite');
  #rows = [...byId('invite').querySelectorAll('.link-row')].map(
    row => new LinkRow(/** @type {HTMLElement} */ (row), link => this.#showCode(link)),
  );
  #dialog = element('qr', HTMLDialogElement);

  /** @param {string} game id */
  constructor(game) {
    this.#game = game;
  }

  /** @param {GameState} state */
  render(state) {
    const kept = state.status === 'open' && state.invited ? linksKept(this.#game) : null;
    const links = !kept ? {} : state.you && kept.link ? { only: kept.link } : (kept.links ?? {});
    for (const row of this.#rows) row.show(links[row.seat]);
    const asks = state.you && state.status === 'open' ? state.asked?.name : null;
    this.#box.hidden = !Object.keys(links).length && !asks;
    if (asks) {
      byId('invite-title').textContent = asks;
      byId('invite-text').textContent = t('challenge.asked', { name: asks });
    }
    if (kept?.links) {
      byId('invite-title').textContent = t('challenge.two_title');
      byId('invite-text').textContent = t('challenge.two_text');
    }
  }

  /** Whoever opens their own link gets it back, to send it. @param {GameState} state @param {string} link */
  recognize(state, link) {
    if (state.status !== 'open' || !state.invited || linksKept(this.#game)) return;
    tabStorage.set(`invite:${this.#game}`, JSON.stringify({ link }));
    byId('invite-text').textContent = t('challenge.own');
  }

  /** @param {string} link */
  async #showCode(link) {
    const answer = await fetch(`/api/games/${this.#game}/qr`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ fragment: new URL(link).hash.slice(1) }),
    }).catch(() => null);
    const picture = element('qr-picture', HTMLImageElement);
    picture.hidden = !answer?.ok;
    if (answer?.ok) picture.src = `data:image/svg+xml,${encodeURIComponent(await answer.text())}`;
    byId('qr-text').textContent = t(answer?.ok ? 'challenge.qr_text' : 'challenge.qr_failed');
    this.#dialog.showModal();
  }
}

/** One link with its buttons. */
class LinkRow {
  #row;
  #field;
  #label;

  /** @param {HTMLElement} row @param {(link: string) => void} showCode */
  constructor(row, showCode) {
    this.#row = row;
    this.seat = row.dataset.seat ?? '';
    this.#field = /** @type {HTMLInputElement} */ (row.querySelector('input'));
    const [copy, share, code] = ['copy', 'share', 'code'].map(
      name => /** @type {HTMLButtonElement} */ (row.querySelector(`.${name}-link`)),
    );
    this.#label = copy.querySelector('span') ?? copy;
    this.#field.addEventListener('focus', () => this.#field.select());
    copy.addEventListener('click', () => this.#copy(copy));
    share.hidden = !navigator.share;
    share.addEventListener('click', () => this.#share());
    code.addEventListener('click', () => showCode(this.#field.value));
  }

  /** @param {string | undefined} link */
  show(link) {
    this.#row.hidden = !link;
    if (link && this.#field.value !== link) this.#field.value = link;
  }

  async #share() {
    // Closing the sheet without choosing anybody is no error.
    await navigator.share({ title: document.title, url: this.#field.value }).catch(() => {});
  }

  /** @param {HTMLButtonElement} button */
  async #copy(button) {
    this.#field.select();
    const copied = await copyWhenReady(Promise.resolve(this.#field.value));
    this.#label.textContent = t(copied ? 'buttons.copied' : 'buttons.copy_by_keys');
    button.classList.toggle('done', copied);
    setTimeout(() => {
      this.#label.textContent = t('buttons.copy');
      button.classList.remove('done');
    }, COPIED_MS);
  }
}

/** The links of a game that was made in this browser; the front page keeps them for us. @param {string} game @returns {Kept | null} */
const linksKept = game => tabStorage.json(`invite:${game}`);
