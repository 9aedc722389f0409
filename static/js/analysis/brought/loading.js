/**
 * The form that loads a game as PGN, pasted or from a file. A text of several games is offered as chapters of a study, this
 * page's own or a new one, and what was mended in them is told. Knows no board.
 *
 * @typedef {{number: number, where: string, refused: boolean, message: string}} Notice   of one game of a text
 * @typedef {{where: string, message: string}} Mend
 */
import { requestJson } from '../../net/requests.js';
import { attempt } from '../../ui/attempt.js';
import { buttonById, byId, create, createLink, element, formById, onSubmit } from '../../ui/dom.js';
import { t } from '../../words.js';

const LONGEST_NAME = 80;
/** Encodings by the first two bytes of a file. */
const MARKED = new Map([
  ['255,254', 'utf-16le'],
  ['254,255', 'utf-16be'],
]);

export class Loading {
  /** @type {string | null} of the chapters' study; null: a new one */
  #study;
  #text = element('pgn', HTMLTextAreaElement);
  #file = element('pgn-file', HTMLInputElement);
  #several = buttonById('load-chapters');
  #says = byId('load-says');
  /** What the text came from; '' if it was typed. */
  #name = '';

  /** @param {string | null} study   which chapters can be added to @param {(pgn: string) => void} load */
  constructor(study, load) {
    this.#study = study;
    onSubmit(formById('load'), () => {
      this.offer(1);
      load(this.#text.value);
    });
    this.#file.addEventListener('change', () => void this.#read());
    this.#text.addEventListener('input', () => {
      this.#name = '';
      this.offer(1);
    });
    this.#several.addEventListener('click', async () => {
      // Whoever clicks twice keeps them once.
      this.#several.disabled = true;
      if (!(await attempt(this.#says, () => this.#keep()))) this.#several.disabled = false;
    });
  }

  /** The text has so many games: more than one can be kept as chapters. @param {number} games */
  offer(games) {
    this.#several.hidden = games < 2;
    this.#several.disabled = false;
    this.#says.textContent = '';
    if (games > 1) this.#several.textContent = t('analysis.as_chapters', { n: games });
  }

  /** What was mended in the game that was loaded, as one sentence; '' if nothing was. @param {Mend[]} mends */
  mended(mends) {
    const changes = mends.map(({ where, message }) => this.#placed(where, message)).join('; ');
    return changes && t('analysis.mended', { changes });
  }

  /** @param {string} where @param {string} message */
  #placed(where, message) {
    return t(this.#name ? 'analysis.in_file' : 'analysis.in_line', { file: this.#name, where, message });
  }

  async #read() {
    const file = this.#file.files?.[0];
    if (!file) return;
    const text = decoded(await file.arrayBuffer());
    this.offer(1);
    if (text.length > this.#text.maxLength) {
      // What stands there is still what was typed, or another file's.
      this.#says.textContent = t('analysis.long_file');
      return;
    }
    this.#name = file.name;
    this.#text.value = text;
  }

  async #keep() {
    if (document.documentElement.dataset.member === undefined)
      return location.assign(`/sign-in?next=${encodeURIComponent(location.pathname)}`);
    const [pgn, name] = [this.#text.value, t('analysis.game')];
    const title = (this.#name || t('analysis.games')).slice(0, LONGEST_NAME);
    const { id, added, notices } = this.#study
      ? await requestJson(`/api/studies/${this.#study}/chapters`, 'POST', { name, pgn, games: true })
      : await requestJson('/api/studies', 'POST', { name: title, chapter: name, pgn, games: true });
    const address = `/study/${id}/${added[0]}`;
    if (!notices.length) return location.assign(address);
    this.#several.hidden = true;
    this.#says.replaceChildren(
      createLink('', address, t('analysis.to_chapters', { n: added.length })),
      create('ul', '', ...notices.map((/** @type {Notice} */ one) => create('li', '', this.#told(one)))),
    );
  }

  /** @param {Notice} notice */
  #told({ number, where, refused, message }) {
    return t(refused ? 'analysis.not_kept' : 'analysis.kept_so', { number, message: this.#placed(where, message) });
  }
}

/** The text of a file in UTF-8, in UTF-16 with its mark or, as older programs write, in Windows-1252. @param {ArrayBuffer} body */
function decoded(body) {
  const encoding = MARKED.get(new Uint8Array(body).subarray(0, 2).join()) ?? 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(body);
  } catch {
    return new TextDecoder('windows-1252').decode(body);
  }
}
