/**
 * Choosing a language leaves the page and returns to it. The fragment of the address, such as an invitation's secret or a
 * line of moves, must return too: no server sees it, but browsers keep it through a redirect.
 */
export function keepFragmentForLanguage() {
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('form.languages')))
    form.addEventListener('submit', () => (form.action = `/language${location.hash}`));
}
