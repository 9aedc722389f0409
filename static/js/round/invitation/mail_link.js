/**
 * Sends the link to a game by mail. Only people with an account have the field for it. The secret goes to the server in the
 * body of a POST.
 */
import { requestJson } from '../../net/requests.js';
import { attempt } from '../../ui/attempt.js';
import { byId } from '../../ui/dom.js';
import { t } from '../../words.js';

/** The field, with what it needs to send `link()` to whom is written there. */
export class MailLink {
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
