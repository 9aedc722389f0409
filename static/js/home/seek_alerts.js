/**
 * Seek alerts on the front page: adds, lists and removes them, and subscribes this browser to push.
 * Knows the server's answers and the browser's permission; knows no seek.
 *
 * @import { SeekAlert } from '../notifications/stored_alerts.js'
 */
import { storeAlerts, storedAlerts } from '../notifications/stored_alerts.js';
import { askToNotify, canNotify, subscribe } from '../notifications/browser_notifications.js';
import { requestJson } from '../net/requests.js';
import { attempt } from '../ui/attempt.js';
import { buttonById, byId, create, createButton, formById, onSubmit } from '../ui/dom.js';
import { dayInWords } from '../ui/times.js';
import { t } from '../words.js';

export class SeekAlerts {
  #form = formById('seek-alerts-form');
  #variantName;
  #whoAmI;
  /** @type {SeekAlert[]} */
  #alerts = [];
  /** @type {string | null} */
  #pushKey = null;
  #pushed = storedAlerts()?.push ?? false;

  /**
   * @param {(variant: string) => string} variantName a variant's name in the page's language
   * @param {() => Promise<string>} whoAmI this visitor's id, once the server has given them one
   */
  constructor(variantName, whoAmI) {
    this.#variantName = variantName;
    this.#whoAmI = whoAmI;
    onSubmit(this.#form, () => this.add(this.#chosen('variant'), this.#chosen('speed')));
    byId('seek-alerts').addEventListener('toggle', () => this.load(), { once: true });
    if (storedAlerts()) this.load();
  }

  /** Loads the visitor's alerts, including those added on other devices. */
  async load() {
    const found = await requestJson('/api/alerts').catch(() => null);
    if (!found) return;
    this.#alerts = found.alerts;
    this.#pushKey = found.push_key;
    await this.#remember();
    this.#show();
  }

  /**
   * Must run in a click: only then do browsers ask whether this site may notify.
   * @param {string[]} variants @param {string[]} speeds none: any
   * @param {HTMLElement} [said] where the answer stands, by the button that was pressed
   */
  async add(variants, speeds, said = byId('seek-alerts-status')) {
    const button = buttonById('seek-alerts-add');
    if (button.disabled) return;
    button.disabled = true;
    const allowed = await askToNotify();
    if (await this.#ask('POST', '/api/alerts', { variants, speeds }, said)) {
      this.#pushed = allowed && (await this.#subscribe(said));
      await this.load();
      this.#form.reset();
      said.textContent = this.#explain(allowed);
      said.scrollIntoView({ block: 'nearest' });
    }
    button.disabled = false;
  }

  /** @param {boolean} allowed */
  #explain(allowed) {
    const how = !canNotify()
      ? t('notifications.unsupported')
      : !allowed
        ? t('notifications.denied')
        : this.#pushed
          ? t('notifications.by_push')
          : t('notifications.by_tab');
    return `${t('notifications.left')} ${how}`;
  }

  /** Subscribes to web push, where the site and the browser have it. @param {HTMLElement} said */
  async #subscribe(said) {
    if (!this.#pushKey) await this.load();
    const subscription = this.#pushKey && (await subscribe(this.#pushKey));
    return !!subscription && (await this.#ask('POST', '/api/push', subscription, said));
  }

  /** @param {SeekAlert} alert */
  async #remove(alert) {
    const said = byId('seek-alerts-status');
    if (!(await this.#ask('DELETE', `/api/alerts/${alert.id}`, undefined, said))) return;
    await this.load();
    said.textContent = t('notifications.ended');
    byId('notify-me-said').textContent = '';
    byId('seek-alerts').querySelector('summary')?.focus();
  }

  /**
   * @param {string} method @param {string} path @param {object | undefined} body @param {HTMLElement} said
   * @returns {Promise<boolean>} whether it was done
   */
  #ask(method, path, body, said) {
    const failed = t('notifications.failed');
    return attempt(said, () => requestJson(path, method, body, failed));
  }

  async #remember() {
    const me = this.#alerts.length ? await this.#whoAmI() : '';
    storeAlerts({ me, push: this.#pushed, alerts: this.#alerts });
  }

  #show() {
    byId('seek-alerts-yours').hidden = !this.#alerts.length;
    byId('seek-alerts-list').replaceChildren(...this.#alerts.map(alert => this.#row(alert)));
  }

  /** @param {SeekAlert} alert */
  #row(alert) {
    const offer = this.#words(alert);
    const until = t('notifications.until', {
      date: dayInWords(alert.until),
    });
    const end = createButton('icon-button', () => this.#remove(alert), '×');
    end.setAttribute('aria-label', t('notifications.end', { offer }));
    return create('li', '', create('span', '', offer, ' ', create('small', 'quiet', until)), end);
  }

  /** "Grand, Grandhouse; Blitz" @param {SeekAlert} alert */
  #words({ variants, speeds }) {
    const names = variants.length ? variants.map(this.#variantName).join(', ') : t('notifications.any_variant');
    return [names, ...(speeds.length ? [speeds.map(speed => t(`terms.${speed}`)).join(', ')] : [])].join('; ');
  }

  /** @param {string} name */
  #chosen(name) {
    return new FormData(this.#form).getAll(name).map(String);
  }
}
