/**
 * What this browser remembers of the site: for good, or as long as the tab is open. Where storage is not allowed, nothing
 * is remembered and everything else still works.
 */
class SafeStorage {
  #storage;

  /** @param {() => Storage} storage called each time, because even access may be forbidden */
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

  /** The value that was stored as JSON; null if there is none or it cannot be read. @param {string} key @returns {any} */
  json(key) {
    try {
      return JSON.parse(this.get(key) ?? 'null');
    } catch {
      return null;
    }
  }

  /** @param {string} key @param {string | null} value null: removes it @returns {boolean} whether it was stored */
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
