/**
 * The list of open seeks, updated row by row. Knows no network; the caller says what a click does.
 *
 * @import { SeekView as Seek } from '../net/wire.js'
 * @typedef {{variantName: (id: string) => string, isMine: (seek: Seek) => boolean, take: (seek: Seek) => void, withdraw: (seek: Seek) => void, changed: () => void}} SeekListOptions
 *   changed: called when other seeks stand than before
 */
import { byId, create, createButton } from '../ui/dom.js';
import { personLink } from '../ui/person_link.js';
import { t } from '../words.js';
import { clockWords, colorWords, rangeWords, seekWords, variantWords } from './seek_words.js';

/** How long a row stays after its seek is gone, so that nobody clicks on the next one by mistake. */
const GOING_MS = 900;
/** At most so many are shown at once; the filter finds the others. */
const MOST_ROWS = 40;

export class SeekList {
  #options;
  /** @type {Map<string, Seek>} */
  #seeks = new Map();
  /** @type {Map<string, HTMLElement>} */
  #rows = new Map();
  /** @type {Map<string, {row: HTMLElement, timer: ReturnType<typeof setTimeout>}>} rows of seeks that have just gone */
  #going = new Map();
  #filter = '';

  /** @param {SeekListOptions} options */
  constructor(options) {
    this.#options = options;
  }

  get seeks() {
    return [...this.#seeks.values()];
  }

  get ofOthers() {
    return this.seeks.filter(seek => !this.#options.isMine(seek));
  }

  /** The visitor's own, the newest last. */
  get mine() {
    return this.seeks.filter(this.#options.isMine);
  }

  /** @param {Seek[]} seeks */
  replace(seeks) {
    this.#seeks = new Map(seeks.map(seek => [seek.id, seek]));
    this.render();
  }

  /** @param {Seek} seek */
  add(seek) {
    this.#seeks.set(seek.id, seek);
    if (this.#isShown(seek) && this.#rows.size < MOST_ROWS) this.#append(seek);
    this.#count();
  }

  /** @param {string} id */
  remove(id) {
    this.#seeks.delete(id);
    const row = this.#rows.get(id);
    if (row) this.#letGo(id, row);
    this.#count();
  }

  /** @param {string} id @param {HTMLElement} row */
  #letGo(id, row) {
    this.#rows.delete(id);
    row.classList.add('gone');
    row.querySelector('button')?.setAttribute('disabled', '');
    const timer = setTimeout(() => {
      this.#going.delete(id);
      row.remove();
    }, GOING_MS);
    this.#going.set(id, { row, timer });
  }

  /** Shows only seeks for `variant`; '': all. @param {string} variant */
  filter(variant) {
    this.#filter = variant;
    this.render();
  }

  /** Rebuilds the list, after the seeks, the filter or the visitor's identity have changed. */
  render() {
    this.#rows.clear();
    for (const { timer } of this.#going.values()) clearTimeout(timer);
    this.#going.clear();
    byId('seeks').replaceChildren();
    for (const seek of this.seeks.filter(seek => this.#isShown(seek)).slice(0, MOST_ROWS)) this.#append(seek);
    this.#count();
  }

  /** @param {Seek} seek */
  #isShown = seek => !this.#filter || !seek.variants || seek.variants.includes(this.#filter);

  #count() {
    const shown = this.seeks.filter(this.#isShown).length;
    byId('seek-count').textContent = shown ? String(shown) : '';
    byId('seeks-empty').hidden = shown > 0;
    this.#options.changed();
  }

  /** @param {Seek} seek */
  #append(seek) {
    const { isMine, take, variantName } = this.#options;
    const mine = isMine(seek);
    const who = mine ? t('round.you') : personLink(seek.name, seek.account, seek.bot);
    const what = [
      create('b', '', variantWords(seek, variantName)),
      create('small', '', who, seek.rating ? ` ${seek.rating}` : ''),
    ];
    const parts = [
      create('span', 'seek-clock', clockWords(seek.clock)),
      create('span', 'seek-what', ...what),
      ...this.#tags(seek),
    ];
    const act = mine ? this.#cancelButton(seek) : this.#takeButton(seek, () => take(seek));
    if (!mine) parts.push(this.#playSign());
    const row = create('li', '', create('div', mine ? 'seek mine' : 'seek', ...parts, act));
    this.#rows.set(seek.id, this.#place(seek.id, row));
  }

  /** @param {string} id @param {HTMLElement} row @returns {HTMLElement} the one that stands in the list, which may be there already */
  #place(id, row) {
    const going = this.#going.get(id);
    if (!going) {
      byId('seeks').append(row);
      return row;
    }
    // A seek whose owner only went to another page returns to its place, so that a press that has begun there counts.
    clearTimeout(going.timer);
    this.#going.delete(id);
    going.row.removeAttribute('class');
    going.row.querySelector('button')?.removeAttribute('disabled');
    if (going.row.isEqualNode(row)) return going.row;
    going.row.replaceWith(row);
    return row;
  }

  /** The whole row, but for the name, which may lead to a page of its own. @param {Seek} seek @param {() => void} take */
  #takeButton(seek, take) {
    const words = t('lobby.play_seek', { game: seekWords(seek, this.#options.variantName), name: seek.name });
    return createButton('over-all', take, create('span', 'visually-hidden', words));
  }

  /** Shows what a press on the row does; its button says so by itself. */
  #playSign() {
    const sign = create('b', 'seek-play', t('nav.play'));
    sign.ariaHidden = 'true';
    return sign;
  }

  /** @param {Seek} seek */
  #cancelButton(seek) {
    const { variantName, withdraw } = this.#options;
    const button = createButton('icon-button', () => withdraw(seek), '×');
    button.setAttribute('aria-label', t('lobby.cancel_this', { game: seekWords(seek, variantName) }));
    return button;
  }

  /** @param {Seek} seek */
  #tags(seek) {
    const range = rangeWords(seek);
    const tags = [create('small', 'tag', t(seek.rated ? 'terms.rated_game' : 'lobby.casual'))];
    if (range) tags.push(create('small', 'tag', range));
    if (seek.color) {
      const king = create('i', `king king-${seek.color}`);
      king.title = colorWords(seek);
      king.ariaHidden = 'true';
      tags.push(king, create('span', 'visually-hidden', colorWords(seek)));
    }
    return tags;
  }
}
