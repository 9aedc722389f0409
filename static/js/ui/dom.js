/** Finds the elements that a template promises. Knows no page. */

/**
 * @template {HTMLElement} T
 * @param {string} id @param {new () => T} type
 * @returns {T}
 * @throws {Error} when the template has no such element: then page and script do not belong together
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

/**
 * @param {string} tag @param {string} text @param {string} [className]
 */
export function textElement(tag, text, className = '') {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** @param {string} text @param {string} className @param {() => void} onClick */
export function textButton(text, className, onClick) {
  const made = /** @type {HTMLButtonElement} */ (textElement('button', text, className));
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}
