/**
 * The panel of studies: keeps what is on the board as a chapter; on the page of a study, arranges its chapters. Every change is
 * the server's, and then the page that shows it is loaded, so that nothing here has to be kept in step.
 *
 * @typedef {{id: string, rev: number, mine: boolean, own: boolean, chapters: {id: string}[], chapter: {id: string, rev: number}}} StudyOfPage
 * @typedef {object} Page
 * @property {StudyOfPage | null} study
 * @property {() => string} pgn   of what is on the board
 * @property {() => string} position   the same of the shown position alone
 * @property {() => string[]} way   the moves that lead to it, in UCI
 * @property {{save: () => Promise<boolean>} | null} keeper
 */
import { requestJson } from '../net/requests.js';
import { attempt } from '../ui/attempt.js';
import { buttonById, byId, element, formById, onSubmit } from '../ui/dom.js';
import { copyButton } from '../ui/share.js';
import { keepPartInSight, keepPlace, openKeptPart } from './part_in_sight.js';

const API = '/api/studies';
/** So long the second press of a button that deletes is waited for. */
const SURE_MS = 4_000;

export class StudyPanel {
  #page;

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
    if (!page.study) void this.#offerToKeep();
    else {
      const { id, mine, own } = page.study;
      openKeptPart();
      if (mine) this.#arrange(page.study);
      if (own) this.#keepMembers(id);
      else onPress('study-copy', () => void this.#copy(`${API}/${id}/copy`));
      const leave = document.getElementById('study-leave')?.dataset.name;
      if (leave) onSecondPress('study-leave', () => this.#delete(memberPath(id, leave), '/studies'));
    }
    document.getElementById('chapters')?.addEventListener('click', event => void this.#leave(event));
  }

  /** @param {string} path */
  async #copy(path) {
    if (isMember()) await this.#go(path, {});
    else location.assign(`/sign-in?next=${encodeURIComponent(location.pathname)}`);
  }

  async #offerToKeep() {
    const form = formById('study-keep');
    const choice = element('keep-in', HTMLSelectElement);
    byId('study-guest').hidden = isMember();
    form.hidden = !isMember();
    if (form.hidden) return;
    choice.addEventListener('change', () => {
      byId('keep-name').hidden = choice.value !== '';
    });
    onSubmit(formById('study-keep'), () => {
      const [name, chapter, pgn] = [typed('study-name'), typed('chapter-name'), this.#page.pgn()];
      const body = choice.value ? { name: chapter, pgn } : { name, chapter, pgn };
      return this.#go(choice.value ? `${API}/${choice.value}/chapters` : API, body, this.#page.way());
    });
    await this.#try(async () => {
      const { studies, others } = await requestJson(API);
      const written = others.filter((/** @type {{role: string}} */ { role }) => role === 'write');
      for (const { id, name } of [...studies, ...written]) choice.add(new Option(name, id));
    });
  }

  /** @param {StudyOfPage} facts */
  #arrange(facts) {
    const { id, own, chapter } = facts;
    const [study, here] = [`${API}/${id}`, `${API}/${id}/chapters/${chapter.id}`];
    for (const button of document.querySelectorAll('#study [data-copies]'))
      copyButton(/** @type {HTMLButtonElement} */ (button));
    // Others may change the study meanwhile, and then so do the facts.
    const ids = () => facts.chapters.map(one => one.id);
    const at = ids().indexOf(chapter.id);
    const swap = (/** @type {number} */ by) => {
      const [all, now] = [ids(), ids().indexOf(chapter.id)];
      const other = all[now + by];
      const order = other ? all.with(now, other).with(now + by, chapter.id) : all;
      return this.#change(study, { rev: facts.rev, chapters: order });
    };
    onSubmit(formById('chapter-add'), () => {
      const way = typed('new-from') === 'copy' ? this.#page.way() : [];
      return this.#go(`${study}/chapters`, { name: typed('new-chapter'), pgn: this.#begun() }, way);
    });
    onSubmit(formById('chapter-edit'), async () => {
      await this.#page.keeper?.save();
      await this.#change(here, { rev: this.#page.study?.chapter.rev, name: typed('chapter-name') });
    });
    onSubmit(formById('study-edit'), () => this.#change(study, { rev: facts.rev, name: typed('study-name') }));
    onPress('chapter-up', () => void swap(-1)).disabled = at === 0;
    onPress('chapter-down', () => void swap(1)).disabled = at === ids().length - 1;
    onSecondPress('chapter-delete', () => this.#delete(here, `/study/${id}`)).disabled = ids().length === 1;
    if (!own) return;
    const shared = element('study-shared', HTMLInputElement);
    shared.addEventListener('change', async () => {
      const asked = shared.checked;
      if (!(await this.#change(study, { rev: facts.rev, shared: asked }))) shared.checked = !asked;
    });
    onSecondPress('study-delete', () => this.#delete(study, '/studies'));
  }

  /** @param {string} id of the study */
  #keepMembers(id) {
    const path = `${API}/${id}/members`;
    onSubmit(formById('member-add'), () =>
      this.#change(path, { name: typed('member-name'), role: typed('member-role') }),
    );
    for (const item of byId('members').querySelectorAll('li[data-name]')) {
      const { name = '' } = /** @type {HTMLElement} */ (item).dataset;
      const role = /** @type {HTMLSelectElement} */ (item.querySelector('select'));
      const before = role.value;
      role.addEventListener('change', async () => {
        if (!(await this.#change(path, { name, role: role.value }))) role.value = before;
      });
      item.querySelector('button')?.addEventListener('click', () => this.#change(memberPath(id, name), null));
    }
  }

  /** The PGN with which a new chapter begins. */
  #begun() {
    const from = typed('new-from');
    if (from === 'copy') return this.#page.pgn();
    return from === 'shown' ? this.#page.position() : `[Variant "${from}"]\n\n*`;
  }

  /** Makes a study or a chapter, and goes there. @param {string} path @param {object} body @param {string[]} [way] to which position of
   * its last chapter */
  async #go(path, body, way) {
    await this.#try(async () => {
      const { id, chapters } = await requestJson(path, 'POST', body);
      await this.#page.keeper?.save();
      if (way) keepPlace(chapters.at(-1).id, way);
      location.assign(way ? `/study/${id}/${chapters.at(-1).id}` : `/study/${id}`);
    });
  }

  /** Whether it was done. @param {string} path @param {object | null} body null: it is to be deleted */
  #change(path, body) {
    return this.#try(async () => {
      await this.#page.keeper?.save();
      await (body ? requestJson(path, 'POST', body) : requestJson(path, 'DELETE'));
      keepPartInSight();
      location.reload();
    });
  }

  /** @param {string} path @param {string} next */
  async #delete(path, next) {
    await this.#try(async () => {
      await this.#page.keeper?.save();
      await requestJson(path, 'DELETE');
      location.assign(next);
    });
  }

  /** Another chapter is opened when this one is stored. @param {MouseEvent} event */
  async #leave(event) {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if ((await this.#page.keeper?.save()) !== false) location.assign(link.href);
  }

  /** @param {() => Promise<void>} work */
  #try(work) {
    return attempt(byId('study-problem'), work);
  }
}

/** @param {string} study id @param {string} name of a member */
const memberPath = (study, name) => `${API}/${study}/members/${encodeURIComponent(name)}`;

const isMember = () => document.documentElement.dataset.member !== undefined;

/** @param {string} id @returns {string} */
const typed = id => /** @type {HTMLInputElement | HTMLSelectElement} */ (byId(id)).value.trim();

/** @param {string} id @param {() => void} act @returns {HTMLButtonElement} */
function onPress(id, act) {
  const button = buttonById(id);
  button.addEventListener('click', act);
  return button;
}

/** The first press only asks. @param {string} id @param {() => Promise<unknown>} act */
function onSecondPress(id, act) {
  const words = buttonById(id).textContent;
  const button = onPress(id, () => {
    if (button.classList.toggle('sure')) {
      button.textContent = button.dataset.sure ?? '';
      setTimeout(() => {
        button.classList.remove('sure');
        button.textContent = words;
      }, SURE_MS);
    } else void act();
  });
  return button;
}
