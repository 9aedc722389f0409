/**
 * The live line of a study's page: hears what others change and who is there. What is in a chapter is read again by the keeper;
 * names and the list of chapters are shown as they are said.
 *
 * @import { StudyOutbound, StudyShown } from '../net/wire.js'
 * @import { ChapterKeeper, StudyFacts } from './chapter_keeper.js'
 */
import { PROTOCOL } from '../net/messages.js';
import { openWithPage, socketAddress } from '../net/page_socket.js';
import { allowReload, reloadOnce } from '../net/reload.js';
import { Socket } from '../net/socket.js';
import { byId, create, createLink } from '../ui/dom.js';
import { t } from '../words.js';

export class StudyLive {
  #facts;
  #keeper;
  #socket;

  /** @param {StudyFacts} facts kept up to date for the panel @param {ChapterKeeper} keeper of the chapter on the board */
  constructor(facts, keeper) {
    this.#facts = facts;
    this.#keeper = keeper;
    this.#socket = new Socket({
      url: socketAddress('/ws/study'),
      greeting: () => ({ t: 'hi', proto: PROTOCOL, study: facts.id }),
      onMessage: (/** @type {StudyOutbound} */ message) => this.#hear(message),
      onState: state => state === 'open' || keeper.meet([]),
      reload: reloadOnce,
    });
    openWithPage(this.#socket);
  }

  /** @param {StudyOutbound} message */
  #hear(message) {
    switch (message.t) {
      case 'study':
        allowReload();
        return this.#show(message);
      case 'study_people':
        return this.#meet(message.here);
      case 'chapter_changed':
        if (message.chapter === this.#facts.chapter.id) this.#keeper.heard(message.rev, message.by);
        return;
      case 'study_gone':
        this.#socket.stop();
        return this.#keeper.end(t('chapters.closed'));
    }
  }

  /** @param {StudyShown} shown */
  #show({ name, rev, writes, chapters, here = [] }) {
    const facts = this.#facts;
    const isNew = JSON.stringify([name, chapters.map(told)]) !== JSON.stringify([facts.name, facts.chapters.map(told)]);
    Object.assign(facts, { name, rev, chapters });
    if (isNew) this.#draw();
    const own = chapters.find(({ id }) => id === facts.chapter.id);
    if (!own) return this.#keeper.end(t('chapters.gone'));
    if (Boolean(writes) !== facts.mine) return this.#keeper.end(t(writes ? 'chapters.writes' : 'chapters.reads'));
    this.#keeper.heard(own.rev, '');
    this.#meet(here);
  }

  #draw() {
    const { id, name, names, chapters, chapter } = this.#facts;
    for (const title of document.querySelectorAll('.study-head h2, .study-name')) title.textContent = name;
    const items = chapters.map(one => {
      const called = create('small', 'quiet', names[one.variant] ?? one.variant);
      const link = createLink('', `/study/${id}/${one.id}`, '');
      link.replaceChildren(create('span', '', one.name), ' ', called);
      if (one.id === chapter.id) link.setAttribute('aria-current', 'page');
      return create('li', '', link);
    });
    const list = byId('chapters');
    const focused = list.contains(document.activeElement) ? document.activeElement?.getAttribute('href') : null;
    list.replaceChildren(...items);
    // Whoever was on a chapter still is; if it is gone, on the one that the board shows.
    const again = focused && (list.querySelector(`a[href="${focused}"]`) ?? list.querySelector('[aria-current]'));
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  /** @param {string[]} here */
  #meet(here) {
    this.#keeper.meet(here.filter(name => name !== this.#facts.reader));
  }
}

/** What the list shows of a chapter. @param {{id: string, name: string}} chapter */
const told = ({ id, name }) => [id, name];
