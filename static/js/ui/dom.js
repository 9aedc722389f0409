/** Finds the elements of a template, and makes simple ones. Knows no page. */

/**
 * @template {HTMLElement} T
 * @param {string} id @param {new () => T} type
 * @returns {T}
 * @throws {Error} if the page has no such element, so that template and script do not match
 */
export function element(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${type.name} with the id ${id}`);
  return found;
}

/** @param {string} id */
export const byId = id => element(id, HTMLElement);

/** @param {string} id */
export const buttonById = id => element(id, HTMLButtonElement);

/** @param {string} id */
export const formById = id => element(id, HTMLFormElement);

/** Acts instead of sending the form. @param {HTMLFormElement} form @param {() => unknown} act */
export function onSubmit(form, act) {
  form.addEventListener('submit', event => {
    event.preventDefault();
    void act();
  });
}

/** @returns {any} the data that the server has put into the page, as JSON */
export const pageFacts = () => JSON.parse(byId('page').textContent ?? '');

/** Text that stays the same is not announced again. @param {HTMLElement} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * @template {string} Tag
 * @param {Tag} tag @param {string} className '' for none @param {(Node | string)[]} content
 * @returns {Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag] : HTMLElement}
 */
export function create(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content);
  return /** @type {any} */ (made);
}

/** @param {string} className @param {string} href @param {(Node | string)[]} content */
export const createLink = (className, href, ...content) => Object.assign(create('a', className, ...content), { href });

/** @param {string} className @param {() => void} onClick @param {(Node | string)[]} content */
export function createButton(className, onClick, ...content) {
  const made = Object.assign(create('button', className, ...content), { type: 'button' });
  made.addEventListener('click', onClick);
  return made;
}

/** Brings an item into the middle of its list if it is out of sight; scrolls the list, never the page.
 * @param {HTMLElement} list @param {HTMLElement} item */
export function revealIn(list, item) {
  const [view, place] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  const seen = list.clientHeight;
  if (place.top < view.top || place.bottom > view.top + seen)
    list.scrollTop += place.top - view.top - (seen - place.height) / 2;
  // Where something stands over its end, as on the shelf of a phone, the style says how wide that is.
  const covered = parseFloat(getComputedStyle(list).scrollPaddingInlineEnd) || 0;
  if (place.left < view.left || place.right > view.right - covered)
    list.scrollLeft += place.left - view.left - (view.width - place.width) / 2;
}

/** Loads styles that only some readers of a page need, once. @param {string} href of a style sheet
 * @returns {Promise<unknown>} when it is there; rejects if it cannot be loaded now */
export function loadStyle(href) {
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  const loaded = new Promise((resolve, reject) => Object.assign(link, { onload: resolve, onerror: reject }));
  document.head.append(link);
  return loaded.catch(error => {
    link.remove();
    throw error;
  });
}
