/**
 * The forms about an account, for those with scripts: what was typed into a password field can be shown,
 * and who came from a friend's link gets back to it. Everything else there is plain forms.
 */
import { keepFragmentForSignIn } from '../ui/sign_in_fragment.js';

keepFragmentForSignIn();
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
  // Sent as a password, so that no browser remembers it among the texts.
  field.form?.addEventListener('submit', () => {
    field.type = 'password';
  });
}
