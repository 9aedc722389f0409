/**
 * What a browser keeps so that the computer can be played offline: pages, the files that they name, and the rules of all
 * variants, as the server lists them. They are renewed together when any of them has changed: first the new ones come in
 * whole, then the old ones go; the files of those that were shown last stay, for pages that are still open.
 *
 * @import { Worker } from './offline.js'
 * @typedef {{version: string, pages: string[], rules: string[]}} List
 */
export const PAGE = '/offline';
export const CACHE = 'offline';
const LIST = '/computer/offline.json';
/** What is kept of one version; the newest one, and the one before. */
const PREFIX = 'computer-';
const VERSIONS = 2;
/** ms; a new release is not looked for more often. */
const SELDOM = 60_000;
/** Addresses of one version; no site has as many. */
const MOST = 1_000;

/** The addresses of the built files that a page names: in its elements and in its facts. @param {string} page */
export const filesOf = page => [...new Set(page.match(/\/static\/[\w.-]+\.\w+/g))];

export class KeptPages {
  #worker;
  #now;
  #renewed = -Infinity;
  /** @type {Promise<void> | null} */
  #renewing = null;

  /** @param {Pick<Worker, 'caches' | 'fetch'>} worker @param {() => number} now ms */
  constructor(worker, now) {
    this.#worker = worker;
    this.#now = now;
  }

  /** Keeps what the server has now, unless that was done lately. Without a connection, what is kept stays. */
  renew() {
    if (this.#now() - this.#renewed < SELDOM) return Promise.resolve();
    this.#renewing ??= this.#keep()
      .then(() => {
        this.#renewed = this.#now();
      })
      .catch(() => {})
      .finally(() => {
        this.#renewing = null;
      });
    return this.#renewing;
  }

  /** The newest page that is kept under that path. @param {string} path @returns {Promise<Response | undefined>} */
  async find(path) {
    for (const name of await this.#whole()) {
      const cache = await this.#worker.caches.open(name);
      const found = await cache.match(path, { ignoreVary: true });
      if (found) return found;
    }
    return undefined;
  }

  /** The names of what is kept whole, the newest first. */
  async #whole() {
    const names = (await this.#worker.caches.keys()).filter(name => name.startsWith(PREFIX));
    const kept = await Promise.all(
      names.map(async name => {
        const list = await (await this.#worker.caches.open(name)).match(LIST, { ignoreVary: true });
        return { name, at: Number(list?.headers.get('Kept-At') ?? 0) };
      }),
    );
    return kept
      .filter(({ at }) => at)
      .sort((one, other) => other.at - one.at)
      .map(({ name }) => name);
  }

  async #keep() {
    const told = await this.#fetched(LIST);
    /** @type {List} */
    const list = await told.json();
    const name = PREFIX + list.version;
    if ((await this.#whole())[0] === name) return;
    const cache = await this.#worker.caches.open(name);
    const files = new Set();
    for (const path of [...list.pages, ...list.rules].slice(0, MOST)) {
      const answer = await this.#fetched(path);
      if (list.pages.includes(path)) for (const file of filesOf(await answer.clone().text())) files.add(file);
      await cache.put(path, answer);
    }
    for (const file of files) if (!(await cache.match(file))) await cache.put(file, await this.#fetched(file));
    // Last: with it, what is kept is whole.
    await cache.put(LIST, new Response(JSON.stringify(list), { headers: { 'Kept-At': String(this.#now()) } }));
    await this.#tidy();
  }

  /** @param {string} path */
  async #fetched(path) {
    const answer = await this.#worker.fetch(path, { cache: 'no-cache' });
    if (!answer.ok) throw new Error(`${path} cannot be kept: ${answer.status}`);
    return answer;
  }

  /** Lets go of what is older than the version before, and of what never became whole. */
  async #tidy() {
    const kept = (await this.#whole()).slice(0, VERSIONS);
    for (const name of await this.#worker.caches.keys())
      if (name.startsWith(PREFIX) && !kept.includes(name)) await this.#worker.caches.delete(name);
  }
}
