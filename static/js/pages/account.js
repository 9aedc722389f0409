/**
 * What scripts add to the forms of an account: a password can be shown while it is typed, the link in a mail fills in its
 * code, the browser's time zone is offered, a new token can be copied, and people who came from a friend's link get back to it. Everything else works
 * without scripts.
 */
import { keepFragmentForSignIn } from '../ui/fragment.js';
import { copyButton } from '../ui/share.js';

// The link in a mail has its token behind the #, which is taken out of the address as soon as it is in the form.
const code = document.querySelector('input[name="token"]');
if (code instanceof HTMLInputElement && location.hash) {
  code.value = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
}
keepFragmentForSignIn();
for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll('button[data-copies]'))) {
  button.hidden = false;
  copyButton(button);
}
// Whoever has chosen no time zone is offered that of the browser.
const zone = document.querySelector('select[name="zone"][data-unset]');
if (zone instanceof HTMLSelectElement) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const option of zone.options) if (option.value === here) option.selected = true;
}
for (const button of document.querySelectorAll('button.show-password')) {
  const field = document.getElementById(button.getAttribute('aria-controls') ?? '');
  if (!(button instanceof HTMLButtonElement) || !(field instanceof HTMLInputElement)) continue;
  button.hidden = false;
  button.addEventListener('click', () => {
    const shown = field.type === 'text';
    field.type = shown ? 'password' : 'text';
    button.setAttribute('aria-pressed', String(!shown));
    field.focus();
  });
  // Sent as a password, so that browsers do not offer it as a text to fill in.
  field.form?.addEventListener('submit', () => {
    field.type = 'password';
  });
}
