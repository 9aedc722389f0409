/**
 * What this browser remembers of the site: for good, or as long as the tab is open. If that is not allowed, nothing is
 * remembered and everything else still works.
 */
class SafeStorage {
  #storage;

  /** @param {() => Storage} storage asked for each time, as to ask can be forbidden */
  constructor(storage) {
    this.#storage = storage;
  }

  /** @param {string} key @returns {string | null} */
  get(key) {
    try {
      return this.#storage().getItem(key);
    } catch {
      return null;
    }
  }

  /** What was set as JSON, null if there is nothing that can be read. @param {string} key @returns {any} */
  json(key) {
    try {
      return JSON.parse(this.get(key) ?? 'null');
    } catch {
      return null;
    }
  }

  /** @param {string} key @param {string | null} value null: forget it @returns {boolean} is it remembered? */
  set(key, value) {
    try {
      if (value === null) this.#storage().removeItem(key);
      else this.#storage().setItem(key, value);
      return true;
    } catch {
      return false;
    }
  }
}

export const siteStorage = new SafeStorage(() => localStorage);
export const tabStorage = new SafeStorage(() => sessionStorage);
