/**
 * Signing in from a friend's link: what stands behind the # of the address must come along, and come back. No server
 * sees it, but browsers carry it through a redirect, if only the links and forms on the way hold it too.
 */
export function keepFragmentForSignIn() {
  const { hash } = location;
  if (!hash) return;
  for (const link of document.querySelectorAll('a[href^="/sign-in"], a[href^="/register"]')) {
    if (link instanceof HTMLAnchorElement) link.hash = hash;
  }
  for (const form of document.querySelectorAll('form.asks')) {
    if (form instanceof HTMLFormElement) form.action += hash;
  }
}
