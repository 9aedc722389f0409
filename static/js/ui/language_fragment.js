/**
 * Choosing a language leaves the page and comes back to it. The fragment of the address, an invitation's secret or a line
 * of moves, must come back too: no server sees it, but a browser carries it through the redirect.
 */
export function keepFragmentForLanguage() {
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('form.languages')))
    form.addEventListener('submit', () => (form.action = `/language${location.hash}`));
}
