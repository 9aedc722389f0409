/**
 * Keeps the fragment of the address, such as an invitation's secret or a line of moves, where a visit leads through other
 * pages. No server sees it, but browsers keep it through a redirect, as long as the links and forms on the way have it too.
 */

/** Choosing a language leaves the page and returns to it. */
export function keepFragmentForLanguage() {
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('form.languages')))
    form.addEventListener('submit', () => (form.action = `/language${location.hash}`));
}

/** Signing in leads back to the friend's link by which the person came. */
export function keepFragmentForSignIn() {
  for (const link of document.querySelectorAll('a[href^="/sign-in"], a[href^="/register"]')) addFragment(link, 'href');
  for (const form of document.querySelectorAll('form:is([action="/sign-in"], [action="/register"], [action="/guest"])'))
    addFragment(form, 'action');
}

/** Gives an address within the site the page's fragment of now; without one it keeps its own. @param {Element} element
 * @param {string} attribute that has the address */
function addFragment(element, attribute) {
  const given = /** @type {string} */ (element.getAttribute(attribute));
  if (location.hash) element.setAttribute(attribute, given.split('#')[0] + location.hash);
}

/** The same where the fragment changes while one is on the page. */
export function followFragmentForSignIn() {
  document.addEventListener('click', keepFragmentForSignIn, { capture: true });
}
