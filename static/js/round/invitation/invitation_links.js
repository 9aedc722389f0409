/**
 * The box with one or two links for whoever made the game: to copy, to share, to show as a QR code. The secret of a link
 * is in its fragment, which no server sees; it is sent only to draw the QR code, in the body of a POST.
 *
 * @import { GameState } from '../../game/model.js'
 */
import { isCopied, storedLinks, storeLinks } from '../../game/stored_links.js';
import { request, requestJson } from '../../net/requests.js';
import { t } from '../../words.js';
import { byId, element } from '../../ui/dom.js';
import { copyButton, shareButton } from '../../ui/share.js';
import { attempt } from '../../ui/attempt.js';

export class InvitationLinks {
  #game;
  #box = byId('invite');
  #rows = [...byId('invite').querySelectorAll('.link-row')].map(
    row => new LinkRow(/** @type {HTMLElement} */ (row), link => this.#showCode(link)),
  );
  #mail;
  #dialog = element('qr', HTMLDialogElement);

  /** @param {string} game id */
  constructor(game) {
    this.#game = game;
    this.#mail = new MailLink(game, () => storedLinks(game)?.link);
  }

  /** @param {GameState} state @param {boolean} offered whether this person could take a seat */
  render(state, offered) {
    const kept = state.status === 'open' && state.invited ? storedLinks(this.#game) : null;
    const links = !kept ? {} : state.you && kept.link ? { only: kept.link } : (kept.links ?? {});
    for (const row of this.#rows) row.show(links[row.seat]);
    const asks = state.you && state.status === 'open' ? state.asked?.name : null;
    const proposed = !offered && state.askedNext;
    this.#box.hidden = !Object.keys(links).length && !asks && !proposed;
    this.#mail.render('only' in links);
    if (links.only && isCopied(this.#game)) byId('invite-title').textContent = t('challenge.copied');
    if (asks) {
      byId('invite-title').textContent = t('challenge.you_challenged', { name: asks });
      byId('invite-text').textContent = t('challenge.asked', { name: asks });
    }
    if (proposed) {
      const [first, second] = kept?.asked ?? [state.asked?.name, state.askedNext?.name];
      const known = first && second;
      byId('invite-title').textContent = t('challenge.proposed_title');
      byId('invite-text').textContent = known
        ? t('challenge.proposed_text', { first, second })
        : t('challenge.proposed_hidden');
    }
    if (kept?.links) {
      byId('invite-title').textContent = t('challenge.two_title');
      byId('invite-text').textContent = t('challenge.two_text');
    }
  }

  /** Gives players who open their own link that link back, to send it. @param {GameState} state @param {string} link */
  recognize(state, link) {
    if (state.status !== 'open' || !state.invited || storedLinks(this.#game)) return;
    storeLinks(this.#game, { link });
    byId('invite-text').textContent = t('challenge.own');
  }

  /** @param {string} link */
  async #showCode(link) {
    const answer = await request(`/api/games/${this.#game}/qr`, 'POST', { fragment: new URL(link).hash.slice(1) });
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

  /** @param {HTMLElement} row @param {(link: string) => void} showCode */
  constructor(row, showCode) {
    this.#row = row;
    this.seat = row.dataset.seat ?? '';
    this.#field = /** @type {HTMLInputElement} */ (row.querySelector('input'));
    const [copy, share, code] = ['copy', 'share', 'code'].map(
      name => /** @type {HTMLButtonElement} */ (row.querySelector(`.${name}-link`)),
    );
    this.#field.addEventListener('focus', () => this.#field.select());
    copyButton(copy);
    shareButton(share, this.#field);
    code.addEventListener('click', () => showCode(this.#field.value));
  }

  /** @param {string | undefined} link */
  show(link) {
    this.#row.hidden = !link;
    if (link && this.#field.value !== link) this.#field.value = link;
  }
}

// Sends the link to a game by mail. Only people with an account have the field for it. The secret goes to the server in the
// body of a POST.

/** The field, with what it needs to send `link()` to whom is written there. */
class MailLink {
  #form = /** @type {HTMLFormElement | null} */ (document.getElementById('mail-link'));

  /** @param {string} game id @param {() => string | undefined} link to send */
  constructor(game, link) {
    this.#form?.addEventListener('submit', event => {
      event.preventDefault();
      void this.#send(game, new URL(link() ?? '').hash.slice(1));
    });
  }

  /** @param {boolean} shown */
  render(shown) {
    if (this.#form) this.#form.hidden = !shown;
  }

  /** @param {string} game @param {string} fragment */
  async #send(game, fragment) {
    const field = /** @type {HTMLInputElement} */ (this.#form?.elements.namedItem('address'));
    const status = byId('mail-link-status');
    const address = field.value.trim();
    await attempt(status, async () => {
      await requestJson(`/api/games/${game}/mail`, 'POST', { fragment, address });
      status.textContent = t('challenge.mail_sent', { address });
      field.value = '';
    });
  }
}
