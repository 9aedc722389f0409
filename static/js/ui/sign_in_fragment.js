/**
 * Keeps the fragment of a friend's link while signing in. No server sees it, but browsers keep it through a redirect, as
 * long as the links and forms on the way have it too.
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
